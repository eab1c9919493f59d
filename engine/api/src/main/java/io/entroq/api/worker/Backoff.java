package io.entroq.api.worker;

import io.entroq.api.EntroQException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before the next try: doubled with each, up to a cap, less a random share so that
 * those who failed together do not come back together. Immutable.
 *
 * @param initial before the first retry; above zero
 * @param cap the longest wait, at least {@code initial}
 * @param jitter the share of a wait, from 0 to 1, of which a random part is taken off
 */
public record Backoff(Duration initial, Duration cap, double jitter) {
  private static final int DOUBLINGS_MAX = 40;

  /**
   * Checks the components.
   *
   * @throws EntroQException.InvalidArgument if one is out of its range
   */
  public Backoff {
    if (initial.isZero() || initial.isNegative()) {
      throw new EntroQException.InvalidArgument("initial must be above zero, is " + initial);
    }
    if (cap.compareTo(initial) < 0) {
      throw new EntroQException.InvalidArgument(
          "cap must be at least initial (" + initial + "), is " + cap);
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new EntroQException.InvalidArgument("jitter must be from 0 to 1, is " + jitter);
    }
  }

  /** For tasks whose work failed: 30 seconds, doubled up to an hour, less up to a fifth. */
  public static Backoff forTasks() {
    return new Backoff(Duration.ofSeconds(30), Duration.ofHours(1), 0.2);
  }

  /** For requests that failed: 100 milliseconds, doubled up to 10 seconds, less up to a half. */
  public static Backoff forRequests() {
    return new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 0.5);
  }

  /** Always the same, without jitter. */
  public static Backoff constant(Duration delay) {
    return new Backoff(delay, delay, 0);
  }

  /**
   * The wait after a failure.
   *
   * @param failures how many there have been in a row, from 1
   */
  public Duration after(int failures) {
    return after(failures, ThreadLocalRandom.current().nextDouble());
  }

  /**
   * The same with chance from elsewhere.
   *
   * @param failures how many there have been in a row, from 1
   * @param random from 0 to 1: how much is taken off of that which may be
   */
  public Duration after(int failures, double random) {
    int doublings = Math.min(Math.max(failures - 1, 0), DOUBLINGS_MAX);
    double fullMs =
        Math.min(initial.toMillis() * Math.scalb(1.0, doublings), (double) cap.toMillis());
    return Duration.ofMillis(Math.max(1, Math.round(fullMs * (1 - jitter * random))));
  }
}
