package io.entroq.engine.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory entries of the run being written, to which segments are added and from which they
 * are removed.
 *
 * <p>After a failed force, every later one fails too: the operating system reports a failed write
 * only once, so a later force would succeed although the entry of a new segment is not on the disk.
 * Thread-safe; blocks while another thread forces.
 */
final class RunEntries {
  private final Path run;
  private Throwable failure;

  RunEntries(Path run) {
    this.run = run;
  }

  boolean areOf(Path directory) {
    return run.equals(directory);
  }

  /**
   * Forces the entries.
   *
   * @throws IOException if one may not be on the disk
   */
  synchronized void force() throws IOException {
    requireSure();
    try {
      LogDirectory.force(run);
    } catch (Throwable t) {
      failure = t;
      throw t;
    }
  }

  /**
   * Removes a segment, on the disk when this returns.
   *
   * @throws IOException if it may still exist; not removed if a force has failed before
   */
  synchronized void remove(Path segment) throws IOException {
    requireSure();
    Files.deleteIfExists(segment);
    force();
  }

  private void requireSure() throws IOException {
    if (failure != null) {
      throw new IOException("forcing " + run + " has failed before: " + failure, failure);
    }
  }
}
