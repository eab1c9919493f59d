package io.entroq.engine.task;

/** When tasks and doc sets become available; both APIs have the same rules (contract 1.6). */
public final class ArrivalTime {

  /** An arrival time further back means now: no clock is that wrong. */
  private static final long AGE_MS_MAX = 365L * 24 * 60 * 60 * 1000;

  private ArrivalTime() {}

  /**
   * The effective arrival time of an item of a request.
   *
   * @param byMs if not 0, counts from now
   * @param requestedMs otherwise the time, if above 0 and not too far back
   */
  public static long ms(long byMs, long requestedMs, long nowMs) {
    if (byMs != 0) {
      return saturatedSum(nowMs, byMs);
    }
    return requestedMs > 0 && requestedMs >= nowMs - AGE_MS_MAX ? requestedMs : nowMs;
  }

  /** The sum, or the nearest number to it that 64 bits hold. */
  public static long saturatedSum(long nowMs, long byMs) {
    long sum = nowMs + byMs;
    boolean overflows = ((nowMs ^ sum) & (byMs ^ sum)) < 0;
    if (overflows) {
      return byMs < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return sum;
  }
}
