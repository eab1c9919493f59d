package io.entroq.engine.time;

/**
 * How far log time deviates from the wall clock.
 *
 * @param wallAheadMs about the wall clock minus log time, in milliseconds, now; negative if the
 *     wall clock is behind
 * @param deviations how often the difference has grown above a second since the engine was opened
 */
public record ClockStats(long wallAheadMs, long deviations) {
  public static final ClockStats NONE = new ClockStats(0, 0);
}
