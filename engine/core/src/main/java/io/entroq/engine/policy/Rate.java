package io.entroq.engine.policy;

/**
 * Rates by the generic cell rate algorithm, in microseconds of log time. All there is to store is
 * one number, the <i>theoretical arrival time</i>. A start is permitted from {@code tat -
 * tolerance} on, and moves the number one interval on. So every window of length w has at most
 * {@code burst + w / interval} starts. All sums are saturated.
 */
public final class Rate {

  private static final long MICROS_PER_MS = 1_000;

  private Rate() {}

  /**
   * The microseconds between starts; rounded up, so that there are never more than asked for.
   *
   * @param limit starts per period; 0: no rate
   * @param periodMs milliseconds
   */
  public static long intervalMicros(long limit, long periodMs) {
    return limit == 0 ? 0 : (periodMs * MICROS_PER_MS + limit - 1) / limit;
  }

  /** How many microseconds early starts may be, for a burst; 0 means a burst of 1. */
  public static long toleranceMicros(long intervalMicros, long burst) {
    return burst <= 1 ? 0 : (burst - 1) * intervalMicros;
  }

  /** The first millisecond at which a start is permitted; may lie in the past. */
  public static long opensMs(long tatMicros, long toleranceMicros) {
    return ceilMs(tatMicros - toleranceMicros);
  }

  /** The number after a start. */
  public static long afterStart(long tatMicros, long intervalMicros, long nowMs) {
    return sum(Math.max(tatMicros, micros(nowMs)), intervalMicros);
  }

  /**
   * When a start is permitted if others start before it, each as soon as it may; {@link
   * Long#MAX_VALUE} if that is too far away.
   *
   * @param ahead how many others
   * @param fromMs when the first of all may start, for other reasons than the rate
   */
  public static long expectedMs(
      long tatMicros, long toleranceMicros, long intervalMicros, long ahead, long fromMs) {
    long startMs = Math.max(fromMs, opensMs(tatMicros, toleranceMicros));
    long tat = Math.max(tatMicros, micros(startMs));
    long wait =
        Math.multiplyHigh(ahead, intervalMicros) == 0 ? ahead * intervalMicros : Long.MAX_VALUE;
    long lastTat = sum(tat, wait < 0 ? Long.MAX_VALUE : wait);
    if (lastTat == Long.MAX_VALUE) {
      return lastTat;
    }
    if (toleranceMicros >= MICROS_PER_MS - 1) {
      return Math.max(startMs, opensMs(lastTat, toleranceMicros));
    }
    return toleranceMicros == 0
        ? startMs + ahead * ceilMs(intervalMicros)
        : expectedInRounds(tat - micros(startMs), toleranceMicros, intervalMicros, ahead, startMs);
  }

  /**
   * As above, if tolerance and interval are shorter than a millisecond. Then a millisecond may end
   * before it was used up, and what was left is lost. Goes from one millisecond to the next until
   * nothing is left of one; from there on it is the same again and again.
   */
  private static long expectedInRounds(
      long advanceMicros, long toleranceMicros, long intervalMicros, long ahead, long fromMs) {
    long advance = advanceMicros;
    long left = ahead;
    long nowMs = fromMs;
    long roundLeft = -1;
    long roundMs = 0;
    long starts = (toleranceMicros - advance) / intervalMicros + 1;
    while (left >= starts) {
      left -= starts;
      nowMs++;
      advance = Math.max(0, advance + starts * intervalMicros - MICROS_PER_MS);
      if (advance == 0) {
        if (roundLeft >= 0) {
          long rounds = left / (roundLeft - left);
          nowMs += rounds * (nowMs - roundMs);
          left %= roundLeft - left;
        }
        roundLeft = left;
        roundMs = nowMs;
      }
      starts = (toleranceMicros - advance) / intervalMicros + 1;
    }
    return nowMs;
  }

  /** How many starts are permitted at once. */
  public static long starts(long tatMicros, long toleranceMicros, long intervalMicros, long nowMs) {
    long nowMicros = micros(nowMs);
    long early = sum(nowMicros, toleranceMicros) - Math.max(tatMicros, nowMicros);
    return early < 0 ? 0 : early / intervalMicros + 1;
  }

  /** The first millisecond that is not before a time in microseconds. */
  public static long ceilMs(long micros) {
    return micros == Long.MAX_VALUE ? Long.MAX_VALUE : -Math.floorDiv(-micros, MICROS_PER_MS);
  }

  private static long micros(long ms) {
    return ms > Long.MAX_VALUE / MICROS_PER_MS ? Long.MAX_VALUE : ms * MICROS_PER_MS;
  }

  private static long sum(long a, long b) {
    long sum = a + b;
    return sum < 0 && a > 0 ? Long.MAX_VALUE : sum;
  }
}
