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

/** Answers operators. Any thread; nothing blocks. */
public interface AdminService {
  /** What the member is at. */
  Call status(CallContext context, StatusRequest request, Reply<StatusResponse> reply);

  /** Asks for a snapshot, and does not wait for it. */
  Call takeSnapshot(
      CallContext context, TakeSnapshotRequest request, Reply<TakeSnapshotResponse> reply);

  /** Sends all that is kept. */
  Call backup(CallContext context, BackupRequest request, Reply<BackupResponse> reply);

  /** At which behaviour level it is, and who supports which. */
  Call level(CallContext context, LevelRequest request, Reply<LevelResponse> reply);

  /** Raises the behaviour level. */
  Call raiseLevel(CallContext context, RaiseLevelRequest request, Reply<RaiseLevelResponse> reply);
}
