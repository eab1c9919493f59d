package io.entroq.simulator.policy;

/**
 * How many starts a rate permits: a virtual clock that each start puts forward by the interval
 * between two starts. Microseconds, without rounding but that of the interval.
 */
public final class StartRate {
  private static final long MICROS_PER_MS = 1_000;

  /** Later times are all the same, so that microseconds can be counted. */
  static final long LAST_MS = Long.MAX_VALUE / MICROS_PER_MS / 2;

  private StartRate() {}

  /** The time between two starts, rounded up: no window has more of them than the rate permits. */
  static long intervalUs(long limit, long periodMs) {
    return (periodMs * MICROS_PER_MS + limit - 1) / limit;
  }

  /**
   * The first millisecond that permits a start.
   *
   * @param clockUs the virtual clock; 0 before the first start
   * @param burst starts that may be made up at once; 0 means 1
   */
  static long opensAtMs(long clockUs, long intervalUs, long burst) {
    long credit = intervalUs * (Math.max(1, burst) - 1);
    return -Math.floorDiv(credit - clockUs, MICROS_PER_MS);
  }

  /** How many starts are permitted at a time at which one is. */
  static long startsAt(long clockUs, long intervalUs, long burst, long nowMs) {
    long nowUs = Math.min(nowMs, LAST_MS) * MICROS_PER_MS;
    long credit = intervalUs * (Math.max(1, burst) - 1);
    return 1 + (nowUs - (Math.max(clockUs, nowUs) - credit)) / intervalUs;
  }

  /** The virtual clock after a start. */
  static long started(long clockUs, long intervalUs, long nowMs) {
    return Math.max(clockUs, nowMs * MICROS_PER_MS) + intervalUs;
  }
}
