package io.entroq.engine.log;

import java.nio.file.Path;

/**
 * The log on disk has lost or changed something that it may not lose, so the engine refuses to go
 * on from it. The message names the file, the place and what the operator can do.
 */
public final class LogDamagedException extends LogException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;
  private final long offset;
  private final long sequence;

  public LogDamagedException(String message, Path file, long offset, long sequence) {
    super(Severity.ERROR, message);
    this.file = file;
    this.offset = offset;
    this.sequence = sequence;
  }

  /** The segment file, or the run, at fault. */
  public Path file() {
    return file;
  }

  /** Byte offset in the file. */
  public long offset() {
    return offset;
  }

  /** Sequence of the first record that is missing or bad. */
  public long sequence() {
    return sequence;
  }
}
