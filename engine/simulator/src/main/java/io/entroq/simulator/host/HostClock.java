package io.entroq.simulator.host;

import io.entroq.simulator.virtual.EventQueue;

/**
 * The clocks of a machine: a correct monotonic clock, and a wall clock that may be wrong, fast,
 * slow or frozen. One thread.
 */
public final class HostClock {
  /** 2026-01-01 00:00 UTC, when every world begins. */
  public static final long START_MS = 1_767_225_600_000L;

  private static final long NS_PER_MS = 1_000_000;
  private static final int RIGHT_PERMILLE = 1_000;

  private final EventQueue events;
  private long sinceNs;
  private long aheadNs;
  private int ratePermille = RIGHT_PERMILLE;
  private long changes;

  public HostClock(EventQueue events) {
    this.events = events;
  }

  /** Monotonic, in nanoseconds. */
  public long nanoTime() {
    return events.nowNs();
  }

  /** The wall clock, in milliseconds since the epoch. */
  public long wallMs() {
    return START_MS + Math.floorDiv(events.nowNs() + aheadNs(), NS_PER_MS);
  }

  /** Moves the wall clock; negative: back. */
  public void jump(long byNs) {
    settle();
    aheadNs += byNs;
  }

  /** Runs the wall clock at thousandths of the correct rate; 0 freezes it. */
  public void run(int permille) {
    settle();
    ratePermille = permille;
  }

  /** Corrects the wall clock and its rate. */
  public void setRight() {
    settle();
    aheadNs = 0;
    ratePermille = RIGHT_PERMILLE;
  }

  private long aheadNs() {
    long passedNs = events.nowNs() - sinceNs;
    return aheadNs + passedNs / RIGHT_PERMILLE * (ratePermille - RIGHT_PERMILLE);
  }

  /** How often the wall clock has been changed. */
  long changes() {
    return changes;
  }

  private void settle() {
    changes++;
    aheadNs = aheadNs();
    sinceNs = events.nowNs();
  }
}
