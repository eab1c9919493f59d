package io.entroq.cluster.mirror;

import java.util.concurrent.TimeUnit;

/** The pause before a mirror restarts, doubled each time that it drops out. Applying thread. */
final class RestartBackoff {
  private static final long PAUSE_NS_LEAST = TimeUnit.SECONDS.toNanos(1);
  private static final long PAUSE_NS_MOST = TimeUnit.MINUTES.toNanos(10);

  private long pauseNs = PAUSE_NS_LEAST;
  private long endNs;

  /** Ends the current pause. */
  void clear() {
    endNs = System.nanoTime();
  }

  /** Ends the current pause, and makes the next one the shortest. */
  void reset() {
    clear();
    pauseNs = PAUSE_NS_LEAST;
  }

  /**
   * Starts a pause.
   *
   * @return its length in seconds
   */
  long start() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(pauseNs);
    endNs = System.nanoTime() + pauseNs;
    pauseNs = Math.min(2 * pauseNs, PAUSE_NS_MOST);
    return seconds;
  }

  boolean isOver() {
    return System.nanoTime() - endNs >= 0;
  }
}
