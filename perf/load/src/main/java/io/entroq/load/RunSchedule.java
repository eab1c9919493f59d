package io.entroq.load;

import java.time.Duration;

/** The start, measured time and end of a run. Any thread may read it and cut it short. */
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

  /** Called before any other method. */
  void begin(long nowNs) {
    startNs = nowNs;
    fromNs = startNs + warmUp.toNanos();
    untilNs = fromNs + duration.toNanos();
  }

  long startNs() {
    return startNs;
  }

  long fromNs() {
    return fromNs;
  }

  long untilNs() {
    return untilNs;
  }

  /** Whether no cycle may begin. */
  boolean isOver(long nowNs) {
    return nowNs - untilNs >= 0;
  }

  /** Whether the measurement has begun. */
  boolean isMeasured(long nowNs) {
    return nowNs - fromNs >= 0;
  }

  /** Ends it now, unless it is over. The caller must wake sleeping threads. */
  synchronized void cutShort(long nowNs) {
    if (!isOver(nowNs)) {
      untilNs = nowNs;
    }
  }

  /** The measured time so far, at most until the end. */
  long measuredNs(long nowNs) {
    long endNs = isOver(nowNs) ? untilNs : nowNs;
    return Math.max(0, endNs - fromNs);
  }
}
