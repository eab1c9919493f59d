package io.entroq.engine.time;

/**
 * The clocks of an engine, which are to agree.
 *
 * @param wallAheadMs wall clock minus log time, in milliseconds, as it is now; negative if the wall
 *     clock is behind. About right: log time is drawn towards the wall clock meanwhile
 * @param deviations how often the difference has grown above a second since the engine was opened
 */
public record ClockStats(long wallAheadMs, long deviations) {
  /** Where both always agree. */
  public static final ClockStats NONE = new ClockStats(0, 0);
}
