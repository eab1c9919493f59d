package io.entroq.api.worker;

import io.entroq.api.EntroQException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Exponential backoff with jitter: the delay doubles with each failure up to a cap, minus a random
 * part, so that what failed together is not retried together. Immutable.
 *
 * @param initial delay before the first retry; positive
 * @param cap longest delay, at least {@code initial}
 * @param jitter from 0 to 1: the largest share of the delay that is randomly subtracted
 */
public record Backoff(Duration initial, Duration cap, double jitter) {
  private static final int DOUBLINGS_MAX = 40;

  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public Backoff {
    if (initial.isZero() || initial.isNegative()) {
      throw new EntroQException.InvalidArgument("initial must be positive, is " + initial);
    }
    if (cap.compareTo(initial) < 0) {
      throw new EntroQException.InvalidArgument(
          "cap must be at least initial (" + initial + "), is " + cap);
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new EntroQException.InvalidArgument("jitter must be from 0 to 1, is " + jitter);
    }
  }

  /** For failed tasks: 30 seconds, doubling up to an hour, minus up to 20 %. */
  public static Backoff forTasks() {
    return new Backoff(Duration.ofSeconds(30), Duration.ofHours(1), 0.2);
  }

  /** For failed requests: 100 milliseconds, doubling up to 10 seconds, minus up to 50 %. */
  public static Backoff forRequests() {
    return new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 0.5);
  }

  /** Always the same delay, without jitter. */
  public static Backoff constant(Duration delay) {
    return new Backoff(delay, delay, 0);
  }

  /**
   * The delay after a failure.
   *
   * @param failures number of consecutive failures, from 1
   */
  public Duration after(int failures) {
    return after(failures, ThreadLocalRandom.current().nextDouble());
  }

  /**
   * The delay after a failure, with a given random number.
   *
   * @param failures number of consecutive failures, from 1
   * @param random from 0 to 1: the part of the jitter that is subtracted
   */
  public Duration after(int failures, double random) {
    int doublings = Math.min(Math.max(failures - 1, 0), DOUBLINGS_MAX);
    double fullMs =
        Math.min(initial.toMillis() * Math.scalb(1.0, doublings), (double) cap.toMillis());
    return Duration.ofMillis(Math.max(1, Math.round(fullMs * (1 - jitter * random))));
  }
}
