package io.entroq.engine.history;

import io.entroq.engine.log.LogException;

/** A point of the history cannot be read although nothing is damaged. */
public final class HistoryException extends LogException {
  private static final long serialVersionUID = 1L;

  /** Each asks for something else from the user. */
  public enum Reason {
    /** The point is before what is kept. */
    GONE,
    /** The log does not reach the point. */
    FUTURE,
    /** The state of the point may need more memory than is allowed. */
    MEMORY,
    /** The {@link ReplayWatch} did not want to go on. */
    ABANDONED
  }

  private final Reason reason;
  private final long sequence;

  HistoryException(Reason reason, long sequence, String message) {
    super(Severity.ERROR, message);
    this.reason = reason;
    this.sequence = sequence;
  }

  public Reason reason() {
    return reason;
  }

  /**
   * Of {@link Reason#GONE}, the first point that is kept; of {@link Reason#FUTURE}, the last step;
   * else how far it was read.
   */
  public long sequence() {
    return sequence;
  }
}
