package io.entroq.service.authorization;

import io.entroq.service.admin.AdminService;
import io.entroq.service.authentication.Authentication;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Principal;
import io.entroq.service.call.Service;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Adds authentication and authorization to services if they are configured. Any thread. Close it
 * after the last call.
 */
public final class Authorization implements AutoCloseable {
  private final Authentication authentication;
  private final boolean coversStats;

  /** Null, like the logged one, if every authenticated caller may do everything. */
  private final Authorizer authorizer;

  private final LoggedAuthorizer logged;

  private Authorization(Authorizer authorizer, boolean coversStats, Authentication authentication) {
    this.authorizer = authorizer;
    this.coversStats = coversStats;
    this.authentication = authentication;
    logged = authorizer == null ? null : new LoggedAuthorizer(authorizer);
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
    return new Authorization(
        config.authorizer() == AuthorizationConfig.Mode.NONE ? null : new OpaAuthorizer(config),
        config.coversStats(),
        authentication);
  }

  /**
   * By a mesh policy, for authenticated callers.
   *
   * @param authentication required; closed with this
   * @throws MeshPolicyException if the policy to start with cannot be used
   */
  public static Authorization of(MeshConfig config, Authentication authentication)
      throws MeshPolicyException {
    if (!authentication.isRequired()) {
      throw new IllegalArgumentException("a mesh policy knows authenticated callers only");
    }
    MeshAuthorizer mesh = new MeshAuthorizer(config);
    mesh.load();
    return new Authorization(mesh, config.coversStats(), authentication);
  }

  /** The service with authorization; the service itself if everybody may do everything. */
  public Service guard(Service service) {
    return authentication.guard(authorized(service));
  }

  private Service authorized(Service service) {
    return logged == null ? service : new AuthorizedService(service, logged, coversStats);
  }

  /**
   * Like {@link #guard(Service)}, for a caller in this process that authenticates its users itself:
   * a context with a principal needs no token.
   */
  public Service guardIdentified(Service service) {
    return authentication.isRequired()
        ? new IdentifiedService(authorized(service), guard(service))
        : guard(service);
  }

  /** Like {@link #guard(Service)}, for operators. */
  public AdminService guard(AdminService service) {
    return logged == null && !authentication.isRequired()
        ? service
        : new AuthorizedAdmin(service, authentication, Optional.ofNullable(logged), false);
  }

  /** Like {@link #guardIdentified(Service)}, for operators. */
  public AdminService guardIdentified(AdminService service) {
    return logged == null && !authentication.isRequired()
        ? service
        : new AuthorizedAdmin(service, authentication, Optional.ofNullable(logged), true);
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
    return logged == null
        ? CompletableFuture.completedFuture(true)
        : logged.allows(AuthorizationQuery.of(context, "", AuthorizedAdmin.READ_ALL, List.of()));
  }

  /**
   * Replaces the mesh policy, as the caller that may do so. Only if this was created with a mesh
   * policy.
   *
   * @param context of the request; its headers are read before this returns
   * @return completes with why not; empty: the policy is in force
   */
  public CompletionStage<Optional<Refusal>> replaceMesh(CallContext context, byte[] document) {
    MeshAuthorizer mesh = (MeshAuthorizer) authorizer;
    return authentication
        .caller(context)
        .handle(
            (caller, failure) ->
                failure == null
                    ? replaceMesh(mesh, caller, document)
                    : Optional.of(Authentication.refusal(failure)));
  }

  private static Optional<Refusal> replaceMesh(
      MeshAuthorizer mesh, Principal caller, byte[] document) {
    if (!mesh.mayReplace(caller)) {
      return Optional.of(
          new Refusal(
              Status.Code.PERMISSION_DENIED,
              "caller %s may not replace the mesh policy".formatted(caller.subject())));
    }
    if (document.length > MeshAuthorizer.DOCUMENT_BYTES_MAX) {
      return Optional.of(
          Refusal.exhausted(
              "the mesh document has %,d bytes; at most %,d are accepted"
                  .formatted(document.length, MeshAuthorizer.DOCUMENT_BYTES_MAX)));
    }
    try {
      mesh.replace(document, caller.subject());
      return Optional.empty();
    } catch (MeshPolicyException e) {
      return Optional.of(Refusal.invalid(e.getMessage()));
    }
  }

  @Override
  public void close() {
    if (authorizer != null) {
      authorizer.close();
    }
    authentication.close();
  }
}
