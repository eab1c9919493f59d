package io.entroq.engine.log;

import java.nio.file.Path;

/** Begins to write runs: the seam at which a log is told what holds its bytes. Any thread. */
@FunctionalInterface
public interface RunFactory {
  /**
   * Begins a run.
   *
   * @param run its directory, which exists and is empty
   * @param config sizes of segments and records
   */
  RunAppender open(Path run, LogConfig config);

  /**
   * Says why a run could not be begun, for those who can help.
   *
   * @param failure what {@link #open} has thrown
   */
  default String explain(Path run, Throwable failure) {
    return failure.toString();
  }
}
