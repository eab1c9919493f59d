package io.entroq.service.authorization;

import io.entroq.service.call.CallContext;
import io.entroq.service.call.Principal;
import io.entroq.service.limit.Origin;
import java.util.List;
import java.util.Optional;

/**
 * The question to an authorizer.
 *
 * @param principal the caller; empty if it was not authenticated
 * @param authorization the caller's Authorization header; empty if there is none, or the caller was
 *     authenticated: then its token is nobody else's business
 * @param claimantId of the request; empty if not given
 * @param queues the permissions on queues that the request needs
 * @param namespaces the permissions on namespaces of docs that the request needs
 * @param origin where the request comes from; not sent to the authorizer
 */
record AuthorizationQuery(
    Optional<Principal> principal,
    String authorization,
    String claimantId,
    List<Permission> queues,
    List<Permission> namespaces,
    Origin origin) {
  /** The header that identifies a caller that was not authenticated. */
  static final String HEADER = "authorization";

  /**
   * A question about the caller of a call.
   *
   * @param context with readable headers
   */
  static AuthorizationQuery of(
      CallContext context,
      String claimantId,
      List<Permission> queues,
      List<Permission> namespaces) {
    return new AuthorizationQuery(
        context.principal(),
        context.principal().isPresent() ? "" : context.headers().first(HEADER).orElse(""),
        claimantId,
        queues,
        namespaces,
        context.origin());
  }
}
