package io.entroq.service.admin;

import io.entroq.codec.wire.published.admin.BackupRequest;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.codec.wire.published.admin.LevelRequest;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.RaiseLevelRequest;
import io.entroq.codec.wire.published.admin.RaiseLevelResponse;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.TakeSnapshotRequest;
import io.entroq.codec.wire.published.admin.TakeSnapshotResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;

/**
 * Refuses what operators ask, for a server that is not a member of a cluster and keeps its queue in
 * memory.
 */
public final class NoMemberAdmin implements AdminService {
  private static final Refusal REFUSAL =
      new Refusal(
          Status.Code.FAILED_PRECONDITION,
          "this server has a queue of its own and is no member of a cluster");

  private static final Refusal NOTHING_KEPT =
      new Refusal(
          Status.Code.FAILED_PRECONDITION,
          "this server keeps its queue in memory: there is nothing that a backup could be made of");

  private static final Refusal NEW_LOG =
      new Refusal(
          Status.Code.FAILED_PRECONDITION,
          "this server keeps its queue in memory, which always begins at the newest behaviour level");

  /** Any number of them are the same. */
  public NoMemberAdmin() {}

  @Override
  public Call status(CallContext context, StatusRequest request, Reply<StatusResponse> reply) {
    return refuse(reply);
  }

  @Override
  public Call takeSnapshot(
      CallContext context, TakeSnapshotRequest request, Reply<TakeSnapshotResponse> reply) {
    return refuse(reply);
  }

  @Override
  public Call backup(CallContext context, BackupRequest request, Reply<BackupResponse> reply) {
    reply.fail(NOTHING_KEPT);
    return Call.done();
  }

  @Override
  public Call level(CallContext context, LevelRequest request, Reply<LevelResponse> reply) {
    reply.fail(NEW_LOG);
    return Call.done();
  }

  @Override
  public Call raiseLevel(
      CallContext context, RaiseLevelRequest request, Reply<RaiseLevelResponse> reply) {
    reply.fail(NEW_LOG);
    return Call.done();
  }

  private static Call refuse(Reply<?> reply) {
    reply.fail(REFUSAL);
    return Call.done();
  }
}
