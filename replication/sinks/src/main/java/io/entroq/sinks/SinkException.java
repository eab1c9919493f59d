package io.entroq.sinks;

import io.entroq.api.EntroQException;

/** Thrown by a {@link FeedSink} that cannot go on, and by a {@link SinkRunner} that gives up. */
public final class SinkException extends EntroQException.Extension {
  private static final long serialVersionUID = 1L;

  private final boolean isTemporary;

  private SinkException(boolean isTemporary, String message, Throwable cause) {
    super(message, cause);
    this.isTemporary = isTemporary;
  }

  /** The same may succeed later. */
  public static SinkException temporary(String message, Throwable cause) {
    return new SinkException(true, message, cause);
  }

  /** Somebody has to do something, which the message says. */
  public static SinkException permanent(String message) {
    return new SinkException(false, message, null);
  }

  /** Somebody has to do something, which the message says. */
  public static SinkException permanent(String message, Throwable cause) {
    return new SinkException(false, message, cause);
  }

  @Override
  public boolean isTemporary() {
    return isTemporary;
  }
}
