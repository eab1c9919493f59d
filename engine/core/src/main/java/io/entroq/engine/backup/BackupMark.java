package io.entroq.engine.backup;

import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Says of a directory that a backup is being made in it, from before the first file is there until
 * {@code backup.json} is: whatever ends the making, no engine takes what there is for its data.
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

  /** Makes the directory too, if need be; on the disk when this returns. Once is enough. */
  void set() throws IOException {
    if (!Files.exists(file)) {
      EmptyDirectory.create(backup);
      Files.createFile(file);
      forcer.force(backup.toString(), () -> LogDirectory.force(backup));
    }
  }

  /** If it comes back when the power fails, the backup is as good: it has its last file. */
  void remove() throws IOException {
    Files.delete(file);
  }
}
