package io.entroq.cluster.aeron;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether something happened lately, for example commands arrived. While it does, a member's
 * threads poll more often. Any thread.
 */
final class RecentActivity {
  /** Short, so that a few commands a second do not keep a member awake all the time. */
  private static final long ACTIVE_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LongSupplier nanoClock;
  private volatile long untilNs;

  RecentActivity(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    untilNs = nanoClock.getAsLong();
  }

  void note() {
    long nowNs = nanoClock.getAsLong();
    // All threads of a member read the field, so it is written rarely.
    if (untilNs - nowNs < ACTIVE_NS / 2) {
      untilNs = nowNs + ACTIVE_NS;
    }
  }

  boolean isActive() {
    return untilNs - nanoClock.getAsLong() > 0;
  }
}
