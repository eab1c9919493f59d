package io.entroq.engine.log;

import java.nio.file.Path;

/**
 * The log on disk has lost or changed data that it must not lose, so the engine refuses to open it.
 * The message names the file, the position and what the operator can do.
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

  /** The damaged segment file or run. */
  public Path file() {
    return file;
  }

  /** Byte offset in the file. */
  public long offset() {
    return offset;
  }

  /** The first missing or bad record. */
  public long sequence() {
    return sequence;
  }
}
