package io.entroq.service.authorization;

import io.entroq.service.limit.Origin;
import java.util.List;

/**
 * What an authorizer is asked.
 *
 * @param authorization the caller's Authorization header; empty if there is none
 * @param claimantId of the request; empty if not given
 * @param queues what the request does to queues, item by item
 * @param namespaces what the request does to docs, item by item
 * @param origin where the request comes from; not sent to the authorizer
 */
record AuthorizationQuery(
    String authorization,
    String claimantId,
    List<Permission> queues,
    List<Permission> namespaces,
    Origin origin) {}
