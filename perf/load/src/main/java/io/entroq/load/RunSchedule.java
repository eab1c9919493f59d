package io.entroq.load;

import java.time.Duration;

/**
 * When a run begins, from when on it is measured, and when it is over. Any thread may ask and cut
 * it short.
 */
final class RunSchedule {
  private final Duration warmUp;
  private final Duration duration;
  private long startNs;
  private long fromNs;
  private volatile long untilNs;

  RunSchedule(Duration warmUp, Duration duration) {
    this.warmUp = warmUp;
    this.duration = duration;
  }

  /** It begins; before anybody asks for anything. */
  void begin(long nowNs) {
    startNs = nowNs;
    fromNs = startNs + warmUp.toNanos();
    untilNs = fromNs + duration.toNanos();
  }

  /** When the first cycle may begin. */
  long startNs() {
    return startNs;
  }

  /** From when on it is measured. */
  long fromNs() {
    return fromNs;
  }

  /** When it ends, or has ended. */
  long untilNs() {
    return untilNs;
  }

  /** Whether no cycle may begin any more. */
  boolean isOver(long nowNs) {
    return nowNs - untilNs >= 0;
  }

  /** Whether what happens now counts. */
  boolean isMeasured(long nowNs) {
    return nowNs - fromNs >= 0;
  }

  /** Ends it now, unless it is over. Who sleeps has to be woken. */
  synchronized void cutShort(long nowNs) {
    if (!isOver(nowNs)) {
      untilNs = nowNs;
    }
  }

  /** How much of it was measured until now, or until it was over; 0 if nothing was. */
  long measuredNs(long nowNs) {
    long endNs = isOver(nowNs) ? untilNs : nowNs;
    return Math.max(0, endNs - fromNs);
  }
}
