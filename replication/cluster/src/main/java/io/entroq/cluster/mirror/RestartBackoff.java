package io.entroq.cluster.mirror;

import java.util.concurrent.TimeUnit;

/**
 * When a mirror that is out begins anew: each time that it drops out, after a pause twice as long
 * as before. Applying thread.
 */
final class RestartBackoff {
  private static final long PAUSE_NS_LEAST = TimeUnit.SECONDS.toNanos(1);
  private static final long PAUSE_NS_MOST = TimeUnit.MINUTES.toNanos(10);

  private long pauseNs = PAUSE_NS_LEAST;
  private long dueNs;

  /** At once. */
  void now() {
    dueNs = System.nanoTime();
  }

  /** At once, and after the shortest pause the next time. */
  void reset() {
    now();
    pauseNs = PAUSE_NS_LEAST;
  }

  /**
   * After a pause.
   *
   * @return of how many seconds
   */
  long later() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(pauseNs);
    dueNs = System.nanoTime() + pauseNs;
    pauseNs = Math.min(2 * pauseNs, PAUSE_NS_MOST);
    return seconds;
  }

  boolean isDue() {
    return System.nanoTime() - dueNs >= 0;
  }
}
