package io.entroq.service.authorization;

import io.entroq.service.admin.AdminService;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Service;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Adds authorization to services if it is configured. Any thread. Close it after the last call. */
public final class Authorization implements AutoCloseable {
  private final AuthorizationConfig config;

  /** Null, like the authorizer, if everything is allowed. */
  private final OpaAuthorizer opa;

  private final LoggedAuthorizer authorizer;

  private Authorization(AuthorizationConfig config) {
    this.config = config;
    opa = config.authorizer() == AuthorizationConfig.Mode.NONE ? null : new OpaAuthorizer(config);
    authorizer = opa == null ? null : new LoggedAuthorizer(opa);
  }

  /** The authorizer need not be reachable yet. */
  public static Authorization of(AuthorizationConfig config) {
    return new Authorization(config);
  }

  /** The service with authorization; the service itself if everything is allowed. */
  public Service guard(Service service) {
    return authorizer == null ? service : new AuthorizedService(service, authorizer, config);
  }

  /** Like {@link #guard(Service)}, for operators. */
  public AdminService guard(AdminService service) {
    return authorizer == null ? service : new AuthorizedAdmin(service, authorizer);
  }

  /**
   * Whether a caller may read all queues; false if there is no decision.
   *
   * @param context of the request; its headers are read before this returns
   */
  public CompletionStage<Boolean> mayReadAll(CallContext context) {
    return authorizer == null
        ? CompletableFuture.completedFuture(true)
        : authorizer.allows(
            new AuthorizationQuery(
                LoggedAuthorizer.authorization(context),
                "",
                AuthorizedAdmin.READ_ALL,
                List.of(),
                context.origin()));
  }

  @Override
  public void close() {
    if (opa != null) {
      opa.close();
    }
  }
}
