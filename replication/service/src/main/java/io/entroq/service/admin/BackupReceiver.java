package io.entroq.service.admin;

import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.client.BackupStream;
import io.entroq.codec.wire.published.admin.BackupBegin;
import io.entroq.codec.wire.published.admin.BackupFile;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.codec.wire.published.admin.StateOfMember;
import io.entroq.engine.backup.BackupHead;
import io.entroq.engine.backup.BackupManifest;
import io.entroq.engine.backup.BackupProgress;
import io.entroq.engine.backup.BackupWriting;
import io.entroq.engine.log.Forcer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Receives a backup that a server sends. When this returns, the backup is complete; if it throws,
 * there is none. One thread, any; blocks.
 */
public final class BackupReceiver {
  /** A server reads a snapshot to its end before it sends the first byte. */
  private static final Duration SILENCE_MAX = Duration.ofMinutes(2);

  private final Path target;
  private final BackupProgress progress;

  /**
   * @param target where the backup will be; must not exist, or be empty
   */
  public BackupReceiver(Path target, BackupProgress progress) {
    this.target = target;
    this.progress = progress;
  }

  /**
   * Makes it; may be tried once more with another server.
   *
   * @return what it holds
   * @throws EntroQException if the server sends none, or only a part
   * @throws io.entroq.engine.log.LogException if it cannot be written, or is not what was sent
   */
  public BackupManifest take(AdminClient client) {
    BackupWriting.requireEmpty(target);
    progress.at("waiting for the server", 0, BackupProgress.UNKNOWN);
    try (BackupStream pieces = client.backup(SILENCE_MAX.toMillis())) {
      BackupResponse first = next(pieces);
      if (!first.hasBegin()) {
        throw new EntroQException.Unavailable("the server's backup does not begin with its head");
      }
      try (BackupWriting writing =
          new BackupWriting(target, head(first.getBegin()), Forcer.DISK, progress)) {
        int files = 0;
        BackupResponse piece = next(pieces);
        for (; !piece.hasEnd(); piece = next(pieces)) {
          files += piece.hasFileEnd() ? 1 : 0;
          write(writing, piece);
        }
        if (piece.getEnd().getFiles() != files) {
          throw new EntroQException.Unavailable(
              "the server has sent %d of %d files".formatted(files, piece.getEnd().getFiles()));
        }
        return writing.finish();
      }
    }
  }

  private static BackupResponse next(BackupStream pieces) {
    Optional<BackupResponse> next = pieces.next();
    if (next.isEmpty()) {
      throw new EntroQException.Unavailable("the server's backup has ended too early");
    }
    return next.get();
  }

  private static BackupHead head(BackupBegin begin) {
    StateOfMember state = begin.getState();
    return new BackupHead(
        begin.getSnapshotSequence(),
        begin.getSequence(),
        begin.getBytes(),
        begin.hasState(),
        state.getHistoryDigest(),
        state.getContentDigest());
  }

  private static void write(BackupWriting writing, BackupResponse piece) {
    switch (piece.getPartCase()) {
      case FILE -> {
        BackupFile file = piece.getFile();
        writing.beginFile(file.getPath(), file.getBytes());
      }
      case DATA -> writing.write(piece.getData().asReadOnlyByteBuffer());
      case FILE_END -> writing.endFile(piece.getFileEnd().getCrc32C());
      default ->
          throw new EntroQException.Unavailable(
              "the server has sent what belongs to no backup: " + piece.getPartCase());
    }
  }
}
