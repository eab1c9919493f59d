package io.entroq.cluster.aeron;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether commands arrived lately. While they do, a member polls the network more often. Any
 * thread.
 */
final class IngressActivity {
  /** Short, so that a few commands a second do not keep a member awake all the time. */
  private static final long ACTIVE_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LongSupplier nanoClock;
  private volatile long untilNs;

  IngressActivity(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    untilNs = nanoClock.getAsLong();
  }

  void onCommands() {
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
