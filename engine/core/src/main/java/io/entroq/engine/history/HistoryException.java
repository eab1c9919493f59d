package io.entroq.engine.history;

import io.entroq.engine.log.LogException;
import java.time.Instant;

/** A point of the history cannot be read although nothing is damaged. */
public final class HistoryException extends LogException {
  private static final long serialVersionUID = 1L;

  /** Each asks for something else from the user. */
  public enum Reason {
    /** The point is before what is kept. */
    GONE,
    /** The log does not reach the point. */
    FUTURE,
    /** A step does not have the log time that it is known to have had. */
    OTHER_PAST,
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

  /**
   * What to tell somebody who has seen a step that is not in the log.
   *
   * @param timeMs its log time then, in milliseconds since the epoch
   */
  public static String ofLostPast(long sequence, long timeMs) {
    return ("the position is of a past that was lost: the step %d of %s is not in the log any more,"
            + " as after a loss of power at durability os. Begin anew")
        .formatted(sequence, Instant.ofEpochMilli(timeMs));
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
