package io.entroq.simulator.host;

import io.entroq.simulator.virtual.EventQueue;

/**
 * The clocks of the machine that the engine runs on: a monotonic one, which is right, and a wall
 * clock, which may be set wrong, run fast or slow, or stand still. One thread.
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

  /** What the wall clock says, in milliseconds since the epoch. */
  public long wallMs() {
    return START_MS + Math.floorDiv(events.nowNs() + aheadNs(), NS_PER_MS);
  }

  /** The wall clock jumps by so much; negative: back. */
  public void jump(long byNs) {
    settle();
    aheadNs += byNs;
  }

  /** The wall clock goes on at so many thousandths of the right speed; 0: it stands still. */
  public void run(int permille) {
    settle();
    ratePermille = permille;
  }

  /** The wall clock is set right, and runs as it should. */
  public void setRight() {
    settle();
    aheadNs = 0;
    ratePermille = RIGHT_PERMILLE;
  }

  private long aheadNs() {
    long passedNs = events.nowNs() - sinceNs;
    return aheadNs + passedNs / RIGHT_PERMILLE * (ratePermille - RIGHT_PERMILLE);
  }

  /** How often the wall clock has jumped, been set, or come to run at another speed. */
  long changes() {
    return changes;
  }

  private void settle() {
    changes++;
    aheadNs = aheadNs();
    sinceNs = events.nowNs();
  }
}
