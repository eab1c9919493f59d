package io.entroq.cluster.aeron;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether commands have come lately, so that more are to be expected. Then it is worth to look for
 * what comes over the network more often than at rest. Any thread.
 */
final class IngressActivity {
  /** Seldom commands, a few each second, do not keep a member awake all the time. */
  private static final long LASTS_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LongSupplier nanoClock;
  private volatile long untilNs;

  /**
   * @param nanoClock as {@link System#nanoTime} tells time; any thread
   */
  IngressActivity(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    untilNs = nanoClock.getAsLong();
  }

  /** Commands have come. */
  void raise() {
    long nowNs = nanoClock.getAsLong();
    // Written seldom, as all threads of a member read it.
    if (untilNs - nowNs < LASTS_NS / 2) {
      untilNs = nowNs + LASTS_NS;
    }
  }

  boolean isActive() {
    return untilNs - nanoClock.getAsLong() > 0;
  }
}
