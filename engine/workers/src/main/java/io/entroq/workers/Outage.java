package io.entroq.workers;

import java.time.Duration;

/** A time in which requests to the queue fail. Thread-safe. */
final class Outage {
  /** More than the time of a call of the client and the pause after it, which are within one. */
  private static final Duration QUIET_MIN = Duration.ofSeconds(60);

  private final long maxNanos;
  private final long quietNanos;

  private boolean isFailing;
  private long beginNanos;
  private long lastNanos;

  /**
   * @param max how long one may be
   */
  Outage(Duration max) {
    maxNanos = max.toNanos();
    quietNanos = Math.max(maxNanos, QUIET_MIN.toNanos());
  }

  /** A request was successful. */
  synchronized void end() {
    isFailing = false;
  }

  /**
   * A request failed. An idle queue tells of no success, so a failure long after the one before
   * begins another outage.
   *
   * @return whether requests have failed for too long
   */
  synchronized boolean isTooLong(long nowNanos) {
    if (!isFailing || nowNanos - lastNanos > quietNanos) {
      isFailing = true;
      beginNanos = nowNanos;
    }
    lastNanos = nowNanos;
    return nowNanos - beginNanos > maxNanos;
  }
}
