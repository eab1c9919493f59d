package io.entroq.engine.log.chronicle;

import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.RunAppender;
import io.entroq.engine.log.RunFactory;
import java.nio.file.Path;

/** Creates runs that are written through Chronicle Queue. */
final class ChronicleRuns implements RunFactory {
  @Override
  public RunAppender open(Path run, LogConfig config) {
    return new ChronicleRun(run, config);
  }

  /** Chronicle Queue may hide the file system's error. */
  @Override
  public String explain(Path run, Throwable failure) {
    return failure instanceof InternalError
        ? ChronicleErrors.why(run, failure)
        : ChronicleErrors.whyNoFile(run, failure);
  }
}
