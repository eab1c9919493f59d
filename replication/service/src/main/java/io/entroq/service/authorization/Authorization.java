package io.entroq.service.authorization;

import io.entroq.service.admin.AdminService;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Service;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Puts authorization in front of services, if it is configured. Any thread. Close it after the last
 * call.
 */
public final class Authorization implements AutoCloseable {
  private final AuthorizationConfig config;
  private final Optional<OpaAuthorizer> opa;
  private final Optional<LoggedAuthorizer> authorizer;

  private Authorization(AuthorizationConfig config) {
    this.config = config;
    this.opa =
        config.authorizer() == AuthorizationConfig.Mode.NONE
            ? Optional.empty()
            : Optional.of(new OpaAuthorizer(config));
    this.authorizer = opa.map(LoggedAuthorizer::new);
  }

  /** As configured; the authorizer need not be reachable yet. */
  public static Authorization of(AuthorizationConfig config) {
    return new Authorization(config);
  }

  /** The same service for those who may use it; itself if everybody may. */
  public Service guard(Service service) {
    return authorizer.isEmpty()
        ? service
        : new AuthorizedService(service, authorizer.get(), config);
  }

  /** The same for operators; they have to be allowed everything, as policies do not know them. */
  public AdminService guard(AdminService service) {
    return authorizer.isEmpty() ? service : new AuthorizedAdmin(service, authorizer.get());
  }

  /**
   * Whether a caller may read all queues; not if there is no decision.
   *
   * @param context of the request; its headers are read before this returns
   */
  public CompletionStage<Boolean> mayReadAll(CallContext context) {
    if (authorizer.isEmpty()) {
      return CompletableFuture.completedFuture(true);
    }
    String authorization = authorizer.get().authorization(context);
    return authorizer
        .get()
        .allows(
            new AuthorizationQuery(
                authorization, "", AuthorizedAdmin.SEE, List.of(), context.origin()));
  }

  @Override
  public void close() {
    opa.ifPresent(OpaAuthorizer::close);
  }
}
