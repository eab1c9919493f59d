package io.entroq.service.authorization;

import io.entroq.service.limit.Origin;
import java.util.List;

/**
 * The question to an authorizer.
 *
 * @param authorization the caller's Authorization header; empty if there is none
 * @param claimantId of the request; empty if not given
 * @param queues the permissions on queues that the request needs
 * @param namespaces the permissions on namespaces of docs that the request needs
 * @param origin where the request comes from; not sent to the authorizer
 */
record AuthorizationQuery(
    String authorization,
    String claimantId,
    List<Permission> queues,
    List<Permission> namespaces,
    Origin origin) {}
