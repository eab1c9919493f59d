package io.entroq.codec.wire;

import java.time.Duration;
import java.time.Instant;

/** Converts instants and durations to milliseconds, saturating at the ends of the range. */
public final class Times {
  private Times() {}

  /** Milliseconds since the epoch, rounded down. */
  public static long toMs(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** Milliseconds of a duration, rounded down. */
  public static long toMs(Duration duration) {
    try {
      return duration.toMillis();
    } catch (ArithmeticException e) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** Adds a nonnegative duration to a time, both in milliseconds. */
  public static long plusSaturating(long timeMs, long durationMs) {
    long sum = timeMs + durationMs;
    return timeMs > 0 && sum < 0 ? Long.MAX_VALUE : sum;
  }
}
