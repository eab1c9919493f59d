package io.entroq.engine.time;

/**
 * The source of log time, in milliseconds since the epoch.
 *
 * <p>Only the applying thread calls {@link #start}, {@link #nowMs} and {@link #nanosUntil}. Any
 * thread may call the others.
 */
public interface LogClock {
  /** The wall clock, which may jump in both directions. */
  long wallMs();

  /**
   * Starts the clock; called once, when an engine opens.
   *
   * @param floorMs log time of the newest record, which this clock must not go below; {@link
   *     Long#MIN_VALUE} if there is none
   */
  void start(long floorMs);

  /** Log time now; never less than before. */
  long nowMs();

  /**
   * About what {@link #nowMs} would return, for callers that turn a timeout into a deadline. May be
   * off by as much as the clock has been slewed since it was last read.
   */
  long estimateMs();

  /** How often log time has deviated from the wall clock by more than a second. */
  default long deviations() {
    return 0;
  }

  /**
   * Nanoseconds until log time reaches {@code deadlineMs}, at least 0. {@link Long#MAX_VALUE} if
   * time does not pass by itself: then the code that moves it wakes the sleeper.
   */
  long nanosUntil(long deadlineMs);
}
