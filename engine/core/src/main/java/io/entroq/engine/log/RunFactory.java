package io.entroq.engine.log;

import java.nio.file.Path;

/** Creates the writers of runs. Thread-safe. */
@FunctionalInterface
public interface RunFactory {
  /**
   * Starts a run.
   *
   * @param run its directory, which exists and is empty
   * @param config sizes of segments and records
   */
  RunAppender open(Path run, LogConfig config);

  /**
   * Explains to the operator why a run could not be started.
   *
   * @param failure thrown by {@link #open}
   */
  default String explain(Path run, Throwable failure) {
    return failure.toString();
  }
}
