package io.entroq.console.call;

import io.entroq.codec.wire.published.admin.LevelRequest;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.TakeSnapshotRequest;
import io.entroq.codec.wire.published.admin.TakeSnapshotResponse;
import io.entroq.console.user.User;
import io.entroq.service.admin.AdminService;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Asks the server itself for users, each call with a deadline of {@link ServiceCalls#PATIENCE}. Any
 * thread; does not block. Calls complete on the pool of the console, and fail with a {@link
 * CallFailedException}: UNIMPLEMENTED where the server cannot do it.
 */
public final class AdminCalls {
  private final AdminService service;
  private final Executor pool;

  /**
   * @param service authorizes by the principal of a call
   * @param pool on which calls complete
   */
  public AdminCalls(AdminService service, Executor pool) {
    this.service = service;
    this.pool = pool;
  }

  /** The status of this server or member. */
  public CompletableFuture<StatusResponse> status(User user) {
    return call(user, StatusRequest.getDefaultInstance(), service::status);
  }

  /** The behavior level, and which levels each member supports. */
  public CompletableFuture<LevelResponse> level(User user) {
    return call(user, LevelRequest.getDefaultInstance(), service::level);
  }

  /** Asks for a snapshot without waiting for it. */
  public CompletableFuture<TakeSnapshotResponse> takeSnapshot(User user) {
    return call(user, TakeSnapshotRequest.getDefaultInstance(), service::takeSnapshot);
  }

  private <Q, S> CompletableFuture<S> call(User user, Q request, Start<Q, S> start) {
    PendingCall<S> pending = new PendingCall<>();
    Call call = start.start(ServiceCalls.context(user, ServiceCalls.PATIENCE), request, pending);
    return pending.within(ServiceCalls.PATIENCE, call, pool);
  }

  @FunctionalInterface
  private interface Start<Q, S> {
    Call start(CallContext context, Q request, Reply<S> reply);
  }
}
