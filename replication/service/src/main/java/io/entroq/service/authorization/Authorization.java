package io.entroq.service.authorization;

import io.entroq.service.admin.AdminService;
import io.entroq.service.authentication.Authentication;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Service;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Adds authentication and authorization to services if they are configured. Any thread. Close it
 * after the last call.
 */
public final class Authorization implements AutoCloseable {
  private final AuthorizationConfig config;
  private final Authentication authentication;

  /** Null, like the authorizer, if every authenticated caller may do everything. */
  private final OpaAuthorizer opa;

  private final LoggedAuthorizer authorizer;

  private Authorization(AuthorizationConfig config, Authentication authentication) {
    this.config = config;
    this.authentication = authentication;
    opa = config.authorizer() == AuthorizationConfig.Mode.NONE ? null : new OpaAuthorizer(config);
    authorizer = opa == null ? null : new LoggedAuthorizer(opa);
  }

  /** For callers that are not authenticated. The authorizer need not be reachable yet. */
  public static Authorization of(AuthorizationConfig config) {
    return of(config, Authentication.NONE);
  }

  /**
   * The authorizer need not be reachable yet.
   *
   * @param authentication closed with this
   */
  public static Authorization of(AuthorizationConfig config, Authentication authentication) {
    return new Authorization(config, authentication);
  }

  /** The service with authorization; the service itself if everybody may do everything. */
  public Service guard(Service service) {
    return authentication.guard(
        authorizer == null ? service : new AuthorizedService(service, authorizer, config));
  }

  /** Like {@link #guard(Service)}, for operators. */
  public AdminService guard(AdminService service) {
    return authorizer == null && !authentication.isRequired()
        ? service
        : new AuthorizedAdmin(service, authentication, Optional.ofNullable(authorizer));
  }

  /**
   * Whether a caller may read all queues; false if there is no decision.
   *
   * @param context of the request; its headers are read before this returns
   */
  public CompletionStage<Boolean> mayReadAll(CallContext context) {
    if (!authentication.isRequired()) {
      return mayReadAllAs(context);
    }
    return authentication
        .caller(context)
        .thenCompose(principal -> mayReadAllAs(context.by(principal)))
        // Nobody, or nobody knows who.
        .exceptionally(failure -> false);
  }

  private CompletableFuture<Boolean> mayReadAllAs(CallContext context) {
    return authorizer == null
        ? CompletableFuture.completedFuture(true)
        : authorizer.allows(
            AuthorizationQuery.of(context, "", AuthorizedAdmin.READ_ALL, List.of()));
  }

  @Override
  public void close() {
    if (opa != null) {
      opa.close();
    }
    authentication.close();
  }
}
