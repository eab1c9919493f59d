package io.entroq.engine.time;

/**
 * How far log time and the wall clock agree.
 *
 * @param wallAheadMs wall clock minus log time, in milliseconds, as it is now; negative if the wall
 *     clock is behind. About right: log time is drawn towards the wall clock meanwhile
 * @param deviations how often the difference has grown above a second since the engine was opened
 */
public record ClockStats(long wallAheadMs, long deviations) {
  public static final ClockStats NONE = new ClockStats(0, 0);
}
