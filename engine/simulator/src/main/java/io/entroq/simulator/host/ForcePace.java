package io.entroq.simulator.host;

import io.entroq.simulator.virtual.Chance;

/** Whether replies wait for forces, how long those take, and how much may wait for one. */
final class ForcePace {
  private static final long MICROSECOND = 1_000;
  private static final long NS_LEAST = 300 * MICROSECOND;
  private static final long NS_MOST = 3_000 * MICROSECOND;
  private static final int SLOWER = 100;

  private final Chance chance;
  private final boolean isAwaited;
  private final int unforcedMax;
  private boolean isSlow;

  /**
   * @param isAwaited whether replies leave only when what they have seen is forced
   * @param unforcedMax how many records may be unforced before nothing more is executed
   */
  ForcePace(Chance chance, boolean isAwaited, int unforcedMax) {
    this.chance = chance;
    this.isAwaited = isAwaited;
    this.unforcedMax = unforcedMax;
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
    long usualNs = chance.between(NS_LEAST, NS_MOST);
    return isSlow ? usualNs * SLOWER : usualNs;
  }
}
