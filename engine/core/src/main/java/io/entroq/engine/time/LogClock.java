package io.entroq.engine.time;

/**
 * The source of log time, in milliseconds since the epoch.
 *
 * <p>One thread, the one that feeds the state machine, calls {@link #start}, {@link #nowMs} and
 * {@link #nanosUntil}; the rest may be called from any thread.
 */
public interface LogClock {
  /** What the wall clock says, which may jump in both directions. */
  long wallMs();

  /**
   * Begins to count; called once, when an engine opens.
   *
   * @param floorMs log time of the newest record, below which this clock must not go; {@link
   *     Long#MIN_VALUE} if there is none
   */
  void start(long floorMs);

  /** The present log time; never below an earlier answer. */
  long nowMs();

  /**
   * About what {@link #nowMs} would answer, for callers that turn a time-out into a deadline. May
   * be off by as much as the clock is being slewed.
   */
  long estimateMs();

  /**
   * How often the difference to the wall clock has grown above a second; 0 without such a clock.
   */
  default long deviations() {
    return 0;
  }

  /**
   * How long to sleep until log time is {@code deadlineMs}, in nanoseconds, at least 0. {@link
   * Long#MAX_VALUE}: time does not pass by itself, so whoever moves it wakes the sleeper.
   */
  long nanosUntil(long deadlineMs);
}
