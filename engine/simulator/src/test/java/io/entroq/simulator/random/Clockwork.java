package io.entroq.simulator.random;

/** The log time of a hunt, and times around it. */
final class Clockwork {
  private static final long DAY_MS = 24L * 60 * 60 * 1_000;
  private static final long MEETING_MS = 100;
  private static final long YEAR_MS = 365 * DAY_MS;

  /** What Go's clients send for "no time" (contract 1.6). */
  private static final long GO_ZERO_MS = -6_795_364_578_871L;

  private final Dice dice;
  private long nowMs;
  private long latestDeadlineMs;

  Clockwork(Dice dice) {
    this.dice = dice;
    this.nowMs = dice.oneIn(8) ? dice.below(5) : 1_700_000_000_000L + dice.below(1_000_000);
  }

  long nowMs() {
    return nowMs;
  }

  /** Time advances: mostly not at all or a little, sometimes by a leap. */
  long advance() {
    nowMs += step();
    return nowMs;
  }

  /** Advances to a time, if it has not passed and is not too far ahead. */
  void aimAt(long timeMs) {
    if (timeMs >= nowMs && timeMs - nowMs <= DAY_MS) {
      nowMs = timeMs;
    }
  }

  private long step() {
    int chance = dice.below(1_000);
    if (chance < 550) {
      return 0;
    }
    if (chance < 850) {
      return dice.between(1, 20);
    }
    if (chance < 980) {
      return dice.between(1, 2_000);
    }
    if (chance < 998) {
      return dice.between(1_000, 3_600_000);
    }
    return dice.between(1, 400) * DAY_MS;
  }

  /** A random arrival time. */
  long arrival() {
    int chance = dice.below(100);
    if (chance < 45) {
      return nowMs;
    }
    if (chance < 60) {
      return dice.percent(50) ? 0 : GO_ZERO_MS;
    }
    if (chance < 70) {
      return nowMs - dice.below(5_000);
    }
    if (chance < 92) {
      return meeting(nowMs + dice.skewedBelow(3_000));
    }
    return dice.oneOf(
        nowMs - YEAR_MS,
        nowMs - YEAR_MS - 1,
        nowMs - YEAR_MS + 1,
        nowMs + 1,
        nowMs + YEAR_MS,
        Long.MAX_VALUE,
        Long.MAX_VALUE - 1,
        Long.MIN_VALUE,
        99_999_999_999_999L);
  }

  /** An arrival time counted from now; mostly short. */
  long duration() {
    int chance = dice.below(100);
    if (chance < 10) {
      return -1L - dice.below(5_000);
    }
    if (chance < 92) {
      return 1L + dice.skewedBelow(3_000);
    }
    return dice.oneOf(0, YEAR_MS, -YEAR_MS, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 62);
  }

  /** Often a time that other tasks are likely to have too. */
  private long meeting(long timeMs) {
    return dice.percent(40) ? timeMs - timeMs % MEETING_MS + MEETING_MS : timeMs;
  }

  long leaseMs() {
    int chance = dice.below(100);
    if (chance < 10) {
      return 0;
    }
    if (chance < 94) {
      return 1L + dice.skewedBelow(4_000);
    }
    return dice.oneOf(30_000, DAY_MS, Long.MAX_VALUE, Long.MAX_VALUE - nowMs, 1L << 62);
  }

  /** The deadline of a waiting claim; 0: none. Often that of the previous claim. */
  long deadlineMs() {
    if (dice.percent(60) || latestDeadlineMs <= nowMs) {
      latestDeadlineMs = anyDeadlineMs();
    }
    return latestDeadlineMs;
  }

  private long anyDeadlineMs() {
    int chance = dice.below(100);
    if (chance < 25) {
      return 0;
    }
    if (chance < 90) {
      return meeting(nowMs + 1 + dice.skewedBelow(2_000));
    }
    return dice.oneOf(nowMs, Math.max(1, nowMs - 1), 1, Long.MAX_VALUE, nowMs + YEAR_MS);
  }
}
