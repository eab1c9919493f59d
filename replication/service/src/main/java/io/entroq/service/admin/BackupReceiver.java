package io.entroq.service.admin;

import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.client.PieceStream;
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

/** Receives a backup from a server. One thread, any; blocks. */
public final class BackupReceiver {
  /** A server reads a whole snapshot before it sends the first byte. */
  private static final Duration SILENCE_MAX = Duration.ofMinutes(2);

  private final Path target;
  private final BackupProgress progress;

  /**
   * @param target directory of the backup; must not exist, or be empty
   */
  public BackupReceiver(Path target, BackupProgress progress) {
    this.target = target;
    this.progress = progress;
  }

  /**
   * Writes a complete backup, or none if this throws. May be retried with another server.
   *
   * @throws EntroQException if the server sends no backup, or only part of one
   * @throws io.entroq.engine.log.LogException if it cannot be written or is corrupt
   */
  public BackupManifest take(AdminClient client) {
    BackupWriting.requireEmpty(target);
    progress.at("waiting for the server", 0, BackupProgress.UNKNOWN);
    try (PieceStream<BackupResponse> pieces = client.backup(SILENCE_MAX.toMillis())) {
      BackupResponse first = next(pieces);
      if (!first.hasBegin()) {
        throw new EntroQException.Unavailable("the server's backup does not begin with its header");
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
              "the server sent only %d of %d files".formatted(files, piece.getEnd().getFiles()));
        }
        return writing.finish();
      }
    }
  }

  private static BackupResponse next(PieceStream<BackupResponse> pieces) {
    Optional<BackupResponse> next = pieces.next();
    if (next.isEmpty()) {
      throw new EntroQException.Unavailable("the server's backup ended too early");
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
              "the server sent an unexpected part of a backup: " + piece.getPartCase());
    }
  }
}
