package io.entroq.api.spi;

import io.entroq.api.QueuePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Parts of policies from the numbers that commands and messages have for them; 0 is unset. */
public final class PolicyNumbers {
  private static final double MILLI = 1_000;
  private static final double FACTOR_DEFAULT = 2;

  private PolicyNumbers() {}

  /** A rate; none without a limit. */
  public static Optional<QueuePolicy.Rate> rate(long limit, long periodMs, long burst) {
    return limit == 0
        ? Optional.empty()
        : Optional.of(new QueuePolicy.Rate(limit, Duration.ofMillis(periodMs), Math.max(1, burst)));
  }

  /** How long a failed task rests. A rest without bound has the longest one that the API knows. */
  public static Optional<QueuePolicy.Retry> retry(
      long baseMs, int factorMilli, long maxMs, int jitterMilli) {
    if ((baseMs | factorMilli | maxMs | jitterMilli) == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new QueuePolicy.Retry(
            Duration.ofMillis(baseMs),
            factorMilli == 0 ? FACTOR_DEFAULT : factorMilli / MILLI,
            maxMs == 0 ? QueuePolicy.DURATION_MAX : Duration.ofMillis(Math.max(baseMs, maxMs)),
            jitterMilli / MILLI));
  }

  /** A factor or a jitter as a number. */
  public static int milli(double value) {
    return (int) Math.round(value * MILLI);
  }

  /** A breaker; none without failures. */
  public static Optional<QueuePolicy.Breaker> breaker(int failures, long pauseMs) {
    return failures == 0
        ? Optional.empty()
        : Optional.of(new QueuePolicy.Breaker(failures, Duration.ofMillis(pauseMs)));
  }

  /** The end of a pause; the end of time if it lasts until resumed. */
  public static Optional<Instant> pausedUntil(long ms) {
    return ms == Long.MAX_VALUE ? Optional.of(Instant.MAX) : time(ms);
  }

  /** A time. */
  public static Optional<Instant> time(long ms) {
    return ms == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(ms));
  }
}
