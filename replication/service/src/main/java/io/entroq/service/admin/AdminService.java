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

/** Requests of operators. Any thread; nothing blocks. */
public interface AdminService {
  Call status(CallContext context, StatusRequest request, Reply<StatusResponse> reply);

  /** Requests a snapshot without waiting for it. */
  Call takeSnapshot(
      CallContext context, TakeSnapshotRequest request, Reply<TakeSnapshotResponse> reply);

  /** Sends a backup. */
  Call backup(CallContext context, BackupRequest request, Reply<BackupResponse> reply);

  /** Sends the image of a snapshot. */
  Call image(CallContext context, ImageRequest request, Reply<ImageResponse> reply);

  /** The behavior level, and which levels each member supports. */
  Call level(CallContext context, LevelRequest request, Reply<LevelResponse> reply);

  /** Raises the behavior level. */
  Call raiseLevel(CallContext context, RaiseLevelRequest request, Reply<RaiseLevelResponse> reply);

  /** Stops all members at one position, to change them. */
  Call stop(CallContext context, StopRequest request, Reply<StopResponse> reply);
}
