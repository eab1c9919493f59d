package io.entroq.engine.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The names in a run in which segments come up at one end and go at the other, and whether they are
 * on the disk.
 *
 * <p>Once forcing them has failed it fails for good: the system says only once that something was
 * not written, so a force that comes later would succeed though the name of a new segment is not on
 * the disk. Any thread; blocks while another forces.
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
   * Forces them.
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
   * @throws IOException if it may be there still; untouched if a force has failed before
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
