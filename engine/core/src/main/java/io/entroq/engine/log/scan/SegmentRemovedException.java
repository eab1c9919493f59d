package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogException;
import java.nio.file.Path;

/** A segment that was listed is not there any more: retention has removed it in between. */
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
