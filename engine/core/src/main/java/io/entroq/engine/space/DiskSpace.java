package io.entroq.engine.space;

import java.nio.file.Path;

/** Says how much room there is. Any thread; tests put numbers of their own here. */
@FunctionalInterface
public interface DiskSpace {
  /** Asks the file system. */
  DiskSpace FILE_SYSTEM = directory -> directory.toFile().getUsableSpace();

  /**
   * How many bytes this process can still write to the file system of a directory; 0 if the
   * directory is gone.
   */
  long usableBytes(Path directory);
}
