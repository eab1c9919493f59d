package io.entroq.service.admin;

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
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;

/** Refuses operators' requests to a server without a cluster that keeps its queue in memory. */
public final class NoMemberAdmin implements AdminService {
  private static final Refusal NO_MEMBER =
      new Refusal(Status.Code.FAILED_PRECONDITION, "this server is not a member of a cluster");

  private static final Refusal IN_MEMORY =
      new Refusal(
          Status.Code.FAILED_PRECONDITION,
          "this server keeps its queue in memory: there is nothing to back up");

  private static final Refusal NEWEST_LEVEL =
      new Refusal(
          Status.Code.FAILED_PRECONDITION,
          "this server keeps its queue in memory, which always starts at the newest behavior level");

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
    reply.fail(IN_MEMORY);
    return Call.done();
  }

  @Override
  public Call image(CallContext context, ImageRequest request, Reply<ImageResponse> reply) {
    return refuse(reply);
  }

  @Override
  public Call level(CallContext context, LevelRequest request, Reply<LevelResponse> reply) {
    reply.fail(NEWEST_LEVEL);
    return Call.done();
  }

  @Override
  public Call raiseLevel(
      CallContext context, RaiseLevelRequest request, Reply<RaiseLevelResponse> reply) {
    reply.fail(NEWEST_LEVEL);
    return Call.done();
  }

  @Override
  public Call stop(CallContext context, StopRequest request, Reply<StopResponse> reply) {
    return refuse(reply);
  }

  private static Call refuse(Reply<?> reply) {
    reply.fail(NO_MEMBER);
    return Call.done();
  }
}
