package io.entroq.engine.space;

import io.entroq.engine.log.FreeSpace;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reports free disk space. Any thread. Tests replace it. */
@FunctionalInterface
public interface DiskSpace {
  DiskSpace FILE_SYSTEM = DiskSpace::ofFileSystem;

  /**
   * How many bytes this process can still write to the file system of a directory; 0 if that has
   * become read-only, or the directory is gone.
   */
  long usableBytes(Path directory);

  private static long ofFileSystem(Path directory) {
    // Mapped memory accepts writes for a while after its file system has become read-only.
    return Files.isWritable(directory) ? FreeSpace.usableBytes(directory) : 0;
  }
}
