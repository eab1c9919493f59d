package io.entroq.engine.history;

/**
 * A point in the history of a log: right after the last step that is within both bounds.
 *
 * @param sequence the last step may have this sequence; 0: before the first
 * @param timeMs the last step may have this log time, in milliseconds since the epoch
 */
public record HistoryPoint(long sequence, long timeMs) {
  /** After all that there is. */
  public static final HistoryPoint END = new HistoryPoint(Long.MAX_VALUE, Long.MAX_VALUE);

  public HistoryPoint {
    if (sequence < 0) {
      throw new IllegalArgumentException("sequence must not be negative, is " + sequence);
    }
  }

  /** Right after a step, which must exist; 0: before the first. */
  public static HistoryPoint at(long sequence) {
    return new HistoryPoint(sequence, Long.MAX_VALUE);
  }

  /** After the last step at or before a time, in milliseconds since the epoch. */
  public static HistoryPoint atTime(long timeMs) {
    return new HistoryPoint(Long.MAX_VALUE, timeMs);
  }

  /** Whether a step has happened at this point. */
  boolean includes(long step, long logTimeMs) {
    return step <= sequence && logTimeMs <= timeMs;
  }

  /** Whether it names a step. */
  boolean isStep() {
    return sequence != Long.MAX_VALUE;
  }
}
