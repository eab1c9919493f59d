package io.entroq.service.authorization;

import io.entroq.service.limit.Origin;
import java.util.List;

/**
 * What an authorizer is asked.
 *
 * @param authorization the header that says whose request it is; empty: there is none
 * @param claimantId in whose name it is to be done; empty: not said
 * @param queues what it wants to do to queues, item by item
 * @param namespaces what it wants to do to docs, item by item
 * @param origin where the request comes from, which the authorizer is not told
 */
record AuthorizationQuery(
    String authorization,
    String claimantId,
    List<Permission> queues,
    List<Permission> namespaces,
    Origin origin) {}
