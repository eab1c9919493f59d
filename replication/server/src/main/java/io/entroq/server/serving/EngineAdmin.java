package io.entroq.server.serving;

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
import io.entroq.service.admin.BackupSender;
import io.entroq.service.admin.BackupSource;
import io.entroq.service.admin.NoMemberAdmin;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;

/** Admin requests to a standalone engine with a data directory: backups and the behavior level. */
final class EngineAdmin implements AdminService {
  private final NoMemberAdmin notMember = new NoMemberAdmin();
  private final BackupSender backups;
  private final EngineLevels levels;

  EngineAdmin(BackupSource source, EngineLevels levels) {
    backups = new BackupSender(source);
    this.levels = levels;
  }

  @Override
  public Call status(CallContext context, StatusRequest request, Reply<StatusResponse> reply) {
    return notMember.status(context, request, reply);
  }

  @Override
  public Call takeSnapshot(
      CallContext context, TakeSnapshotRequest request, Reply<TakeSnapshotResponse> reply) {
    return notMember.takeSnapshot(context, request, reply);
  }

  @Override
  public Call backup(CallContext context, BackupRequest request, Reply<BackupResponse> reply) {
    return backups.send(reply);
  }

  @Override
  public Call image(CallContext context, ImageRequest request, Reply<ImageResponse> reply) {
    return notMember.image(context, request, reply);
  }

  @Override
  public Call level(CallContext context, LevelRequest request, Reply<LevelResponse> reply) {
    return levels.report(reply);
  }

  @Override
  public Call raiseLevel(
      CallContext context, RaiseLevelRequest request, Reply<RaiseLevelResponse> reply) {
    return levels.raise(request.getLevel(), reply);
  }

  @Override
  public Call stop(CallContext context, StopRequest request, Reply<StopResponse> reply) {
    return notMember.stop(context, request, reply);
  }
}
