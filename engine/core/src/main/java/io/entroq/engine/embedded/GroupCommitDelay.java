package io.entroq.engine.embedded;

import io.entroq.engine.log.ForceStats;
import java.util.concurrent.TimeUnit;

/**
 * Decides when the next force starts. For the force thread, unless a method says otherwise.
 *
 * <p>Callers that have just received replies are about to send their next requests. A force that
 * starts with the first of these makes the others wait for it and for the next one. So a force
 * waits until about as many replies are waiting as before, but no longer than a force takes.
 */
final class GroupCommitDelay {
  private static final int FORCES_IN_MEAN = 16;
  private static final long DELAY_NS_MAX = TimeUnit.MICROSECONDS.toNanos(500);

  private volatile long forceNs;
  private volatile long count;
  private volatile long totalNs;
  private int together;
  private long releasedNs;

  /** Whether to wait for more replies before the next force. */
  boolean isTooEarly(int waiting) {
    return waiting < together && System.nanoTime() - releasedNs < Math.min(DELAY_NS_MAX, forceNs);
  }

  void onForced(long tookNs) {
    long meanNs = forceNs;
    forceNs = meanNs + (tookNs - meanNs) / FORCES_IN_MEAN;
    long countBefore = count;
    long totalBeforeNs = totalNs;
    count = countBefore + 1;
    totalNs = totalBeforeNs + tookNs;
  }

  /** All forces so far. Any thread. */
  ForceStats forces() {
    return new ForceStats(count, totalNs);
  }

  /**
   * Replies were released.
   *
   * @param released how many
   * @param waiting how many arrived too late for that force
   */
  void onReleased(int released, int waiting) {
    together = released + waiting;
    releasedNs = System.nanoTime();
  }

  /** Roughly how long a force takes, in nanoseconds; 0 before the first. Any thread. */
  long forceNs() {
    return forceNs;
  }

  /** Nanoseconds since replies were last released. */
  long sinceReleasedNs() {
    return System.nanoTime() - releasedNs;
  }
}
