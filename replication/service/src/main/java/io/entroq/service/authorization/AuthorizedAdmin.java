package io.entroq.service.authorization;

import io.entroq.codec.wire.published.admin.BackupRequest;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.codec.wire.published.admin.ImageRequest;
import io.entroq.codec.wire.published.admin.ImageResponse;
import io.entroq.codec.wire.published.admin.LevelRequest;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.RaiseLevelRequest;
import io.entroq.codec.wire.published.admin.RaiseLevelResponse;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.StopRequest;
import io.entroq.codec.wire.published.admin.StopResponse;
import io.entroq.codec.wire.published.admin.TakeSnapshotRequest;
import io.entroq.codec.wire.published.admin.TakeSnapshotResponse;
import io.entroq.service.admin.AdminService;
import io.entroq.service.authentication.Authentication;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import io.entroq.service.call.SteppedCall;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Authorizes operators. Policies cover only queues and namespaces, so a caller that may read
 * everything may see the member's status and behavior level. Snapshots, backups, images, raising
 * the level and stopping require permission for everything.
 */
final class AuthorizedAdmin implements AdminService {
  static final List<Permission> READ_ALL = List.of(Permission.ofPrefix(Action.READ, ""));

  private static final List<Permission> ALL =
      Stream.of(Action.values()).map(action -> Permission.ofPrefix(action, "")).toList();
  private static final Set<String> HEADERS = Set.of(AuthorizationQuery.HEADER);

  private final AdminService service;
  private final Authentication authentication;
  private final Optional<LoggedAuthorizer> authorizer;
  private final boolean trustsPrincipals;

  /**
   * @param authorizer empty if every authenticated caller may do everything
   * @param trustsPrincipals whether a context with a principal needs no token
   */
  AuthorizedAdmin(
      AdminService service,
      Authentication authentication,
      Optional<LoggedAuthorizer> authorizer,
      boolean trustsPrincipals) {
    this.trustsPrincipals = trustsPrincipals;
    this.service = service;
    this.authentication = authentication;
    this.authorizer = authorizer;
  }

  @Override
  public Call status(CallContext context, StatusRequest request, Reply<StatusResponse> reply) {
    return authorize(context, reply, READ_ALL, held -> service.status(held, request, reply));
  }

  @Override
  public Call takeSnapshot(
      CallContext context, TakeSnapshotRequest request, Reply<TakeSnapshotResponse> reply) {
    return authorize(context, reply, ALL, held -> service.takeSnapshot(held, request, reply));
  }

  @Override
  public Call backup(CallContext context, BackupRequest request, Reply<BackupResponse> reply) {
    return authorize(context, reply, ALL, held -> service.backup(held, request, reply));
  }

  @Override
  public Call image(CallContext context, ImageRequest request, Reply<ImageResponse> reply) {
    return authorize(context, reply, ALL, held -> service.image(held, request, reply));
  }

  @Override
  public Call level(CallContext context, LevelRequest request, Reply<LevelResponse> reply) {
    return authorize(context, reply, READ_ALL, held -> service.level(held, request, reply));
  }

  @Override
  public Call raiseLevel(
      CallContext context, RaiseLevelRequest request, Reply<RaiseLevelResponse> reply) {
    return authorize(context, reply, ALL, held -> service.raiseLevel(held, request, reply));
  }

  @Override
  public Call stop(CallContext context, StopRequest request, Reply<StopResponse> reply) {
    return authorize(context, reply, ALL, held -> service.stop(held, request, reply));
  }

  private Call authorize(
      CallContext context,
      Reply<?> reply,
      List<Permission> permissions,
      Function<CallContext, Call> next) {
    Function<CallContext, Call> authorized =
        identified ->
            authorizer.isEmpty()
                ? next.apply(identified)
                : authorize(authorizer.get(), identified.held(HEADERS), reply, permissions, next);
    return trustsPrincipals && context.principal().isPresent()
        ? authorized.apply(context)
        : authentication.require(context, reply, authorized);
  }

  private static Call authorize(
      LoggedAuthorizer authorizer,
      CallContext held,
      Reply<?> reply,
      List<Permission> permissions,
      Function<CallContext, Call> next) {
    SteppedCall call = new SteppedCall();
    authorizer.require(
        AuthorizationQuery.of(held, "", permissions, permissions),
        call,
        reply,
        () -> call.step(() -> next.apply(held)));
    return call;
  }
}
