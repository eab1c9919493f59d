package io.entroq.engine.log.chronicle;

import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.RunAppender;
import io.entroq.engine.log.RunOpener;
import java.nio.file.Path;

/** Begins runs that are written through Chronicle Queue. */
final class ChronicleRuns implements RunOpener {
  @Override
  public RunAppender open(Path run, LogConfig config) {
    return new ChronicleRun(run, config);
  }

  /** Chronicle Queue does not always say what the file system has said. */
  @Override
  public String explain(Path run, Throwable failure) {
    return failure instanceof InternalError
        ? ChronicleTrouble.why(run, failure)
        : ChronicleTrouble.whyNoFile(run, failure);
  }
}
