package io.entroq.simulator.host;

import io.entroq.simulator.virtual.SeededRandom;

/** Whether replies wait for forces, how long forces take, and how much may be unforced. */
final class ForceTiming {
  private static final int LEAST_PART = 10;
  private static final int SLOWER = 100;

  /** A disk that takes longer counts as broken. */
  private static final long NS_MOST = 2_000_000_000L;

  private final SeededRandom random;
  private final boolean isAwaited;
  private final int unforcedMax;
  private final long usualNsMax;
  private boolean isSlow;

  /**
   * @param isAwaited whether replies wait until what they show is forced
   */
  ForceTiming(SeededRandom random, boolean isAwaited, EngineLimits limits) {
    this.random = random;
    this.isAwaited = isAwaited;
    this.unforcedMax = limits.unforcedMax();
    this.usualNsMax = limits.forceNs();
  }

  boolean isAwaited() {
    return isAwaited;
  }

  boolean isTooMuch(long unforced) {
    return isAwaited && unforced > unforcedMax;
  }

  void slow(boolean slow) {
    isSlow = slow;
  }

  /** How long the next force takes. */
  long nextNs() {
    long usualNs = random.between(usualNsMax / LEAST_PART, usualNsMax);
    return isSlow ? Math.min(NS_MOST, usualNs * SLOWER) : usualNs;
  }
}
