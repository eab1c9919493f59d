package io.entroq.engine.log;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the free space of file systems. Thread-safe. */
public final class FreeSpace {
  private FreeSpace() {}

  /**
   * Bytes that this process can still write to the directory's file system; 0 if unknown, for
   * example because the directory is gone.
   */
  public static long usableBytes(Path directory) {
    if (directory.getFileSystem() == FileSystems.getDefault()) {
      // Looking up the file store among all mounts fails for some overlays.
      return directory.toFile().getUsableSpace();
    }
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      return 0;
    }
  }
}
