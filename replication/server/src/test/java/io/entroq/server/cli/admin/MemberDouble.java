package io.entroq.server.cli.admin;

import io.entroq.codec.wire.published.admin.BackupRequest;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.codec.wire.published.admin.ImageRequest;
import io.entroq.codec.wire.published.admin.ImageResponse;
import io.entroq.codec.wire.published.admin.LevelRequest;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.RaiseLevelRequest;
import io.entroq.codec.wire.published.admin.RaiseLevelResponse;
import io.entroq.codec.wire.published.admin.SnapshotOfMember;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.StopRequest;
import io.entroq.codec.wire.published.admin.StopResponse;
import io.entroq.codec.wire.published.admin.TakeSnapshotRequest;
import io.entroq.codec.wire.published.admin.TakeSnapshotResponse;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.admin.AdminService;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A scripted member for operator commands. */
final class MemberDouble implements AdminService, AutoCloseable {
  private final EmbeddedEntroQ engine = EmbeddedEntroQ.inMemory();
  private final GrpcServer server;
  private final AtomicInteger snapshotRequests = new AtomicInteger();
  private final AtomicInteger stopRequests = new AtomicInteger();
  private final Deque<Consumer<Reply<StatusResponse>>> statuses = new ArrayDeque<>();
  private volatile LevelResponse level = LevelResponse.getDefaultInstance();
  private volatile Consumer<Reply<TakeSnapshotResponse>> snapshot =
      reply -> reply.fail(new Refusal(Status.Code.FAILED_PRECONDITION, "does not lead"));

  MemberDouble() throws IOException {
    server =
        GrpcServer.start(engine.gateway(), GrpcServerConfig.on(0), UnaryOperator.identity(), this);
  }

  /** Adds a status with a number of snapshots and the position of the newest. */
  MemberDouble has(long snapshots, long position) {
    return says(
        StatusResponse.newBuilder()
            .setSnapshots(snapshots)
            .setSnapshot(SnapshotOfMember.newBuilder().setPosition(position))
            .build());
  }

  /** Adds a status. The last one answers all later requests too. */
  MemberDouble says(StatusResponse status) {
    return next(reply -> reply.send(status));
  }

  /** Adds a failed status request. */
  MemberDouble isUnavailable() {
    return next(reply -> reply.fail(new Refusal(Status.Code.UNAVAILABLE, "it begins")));
  }

  /** Adds a status request that is refused because others are running. */
  MemberDouble isBusy() {
    return next(reply -> reply.fail(Refusal.exhausted("it is busy")));
  }

  /** Adds a status request that is not answered in time. */
  MemberDouble isSlow() {
    return next(reply -> reply.fail(new Refusal(Status.Code.DEADLINE_EXCEEDED, "it is slow")));
  }

  private synchronized MemberDouble next(Consumer<Reply<StatusResponse>> answer) {
    statuses.add(answer);
    return this;
  }

  private MemberDouble onSnapshot(Consumer<Reply<TakeSnapshotResponse>> answer) {
    snapshot = answer;
    return this;
  }

  /** Accepts requests for snapshots. */
  MemberDouble takesSnapshots(long before) {
    return onSnapshot(
        reply -> reply.send(TakeSnapshotResponse.newBuilder().setSnapshots(before).build()));
  }

  /** Loses the connection after a request for a snapshot. */
  MemberDouble losesReplies() {
    return onSnapshot(reply -> reply.fail(new Refusal(Status.Code.UNAVAILABLE, "cut off")));
  }

  /** Answers requests for the level, and loses the connection when asked to raise it. */
  MemberDouble says(LevelResponse answer) {
    level = answer;
    return this;
  }

  int stopRequests() {
    return stopRequests.get();
  }

  int snapshotRequests() {
    return snapshotRequests.get();
  }

  String address() {
    return "127.0.0.1:" + server.port();
  }

  @Override
  public synchronized Call status(
      CallContext context, StatusRequest request, Reply<StatusResponse> reply) {
    (statuses.size() > 1 ? statuses.remove() : statuses.element()).accept(reply);
    return Call.done();
  }

  @Override
  public Call backup(CallContext context, BackupRequest request, Reply<BackupResponse> reply) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Call image(CallContext context, ImageRequest request, Reply<ImageResponse> reply) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Call level(CallContext context, LevelRequest request, Reply<LevelResponse> reply) {
    reply.send(level);
    return Call.done();
  }

  @Override
  public Call raiseLevel(
      CallContext context, RaiseLevelRequest request, Reply<RaiseLevelResponse> reply) {
    reply.fail(new Refusal(Status.Code.UNAVAILABLE, "cut off"));
    return Call.done();
  }

  @Override
  public Call stop(CallContext context, StopRequest request, Reply<StopResponse> reply) {
    stopRequests.incrementAndGet();
    reply.send(StopResponse.newBuilder().setPosition(73_728).build());
    return Call.done();
  }

  @Override
  public Call takeSnapshot(
      CallContext context, TakeSnapshotRequest request, Reply<TakeSnapshotResponse> reply) {
    snapshotRequests.incrementAndGet();
    snapshot.accept(reply);
    return Call.done();
  }

  @Override
  public void close() {
    server.close();
    engine.close();
  }
}
