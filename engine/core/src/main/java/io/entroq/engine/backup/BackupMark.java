package io.entroq.engine.backup;

import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Marks a directory as an unfinished backup, from before the first file until {@code backup.json}
 * exists, so that no engine opens a partial backup as its data.
 */
final class BackupMark {
  private final Path backup;
  private final Path file;
  private final Forcer forcer;

  BackupMark(Path backup, Forcer forcer) {
    this.backup = backup;
    this.file = fileIn(backup);
    this.forcer = forcer;
  }

  static Path fileIn(Path backup) {
    return backup.resolve(LogDirectory.UNFINISHED_BACKUP);
  }

  /**
   * Creates the mark, and the directory if necessary, on the disk when this returns. Idempotent.
   */
  void set() throws IOException {
    if (!Files.exists(file)) {
      EmptyDirectory.create(backup);
      Files.createFile(file);
      forcer.force(backup.toString(), () -> LogDirectory.force(backup));
    }
  }

  /**
   * Removes the mark. It may reappear after a power failure, but {@code backup.json} then exists.
   */
  void remove() throws IOException {
    Files.delete(file);
  }
}
