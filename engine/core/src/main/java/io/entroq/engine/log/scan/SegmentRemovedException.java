package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogException;
import java.nio.file.Path;

/** Retention removed a segment after it was listed. */
public final class SegmentRemovedException extends LogException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;

  SegmentRemovedException(Path file, Throwable cause) {
    super(Severity.ERROR, "The segment " + file + " was removed while the log was read", cause);
    this.file = file;
  }

  Path file() {
    return file;
  }
}
