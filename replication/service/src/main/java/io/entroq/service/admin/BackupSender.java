package io.entroq.service.admin;

import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.limit.Limit;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;

/** Sends backups of one source, one at a time. Any thread; does not block. */
public final class BackupSender {
  private static final Refusal BUSY =
      new Refusal(
          Status.Code.RESOURCE_EXHAUSTED, Limit.BACKUPS.named("another backup is in progress"));

  private final BackupSource source;
  private final AtomicBoolean isBusy = new AtomicBoolean();

  public BackupSender(BackupSource source) {
    this.source = source;
  }

  public Call send(Reply<BackupResponse> reply) {
    if (!isBusy.compareAndSet(false, true)) {
      reply.fail(BUSY);
      return Call.done();
    }
    return new PieceStream<>("backup", reply, new BackupPieces(source), () -> isBusy.set(false))
        .start();
  }
}
