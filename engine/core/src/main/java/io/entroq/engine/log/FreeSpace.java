package io.entroq.engine.log;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much room there is on a file system. Any thread. */
public final class FreeSpace {
  private FreeSpace() {}

  /**
   * How many bytes this process can still write where the directory is; 0 if that cannot be told,
   * as when it is gone.
   */
  public static long usableBytes(Path directory) {
    if (directory.getFileSystem() == FileSystems.getDefault()) {
      // A store would first be looked up among all mounts, where some overlays are not found.
      return directory.toFile().getUsableSpace();
    }
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      return 0;
    }
  }
}
