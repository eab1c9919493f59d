package io.entroq.cluster.member;

import io.entroq.engine.time.LogClock;
import java.util.concurrent.TimeUnit;

/** A clock of several members, which goes as the test says. Any thread. */
final class TestClock implements LogClock {
  /** Aeron looks after its clients by this clock, and a client that is not looked after ends. */
  private static final long STILL_SECONDS_MAX = 4;

  private static final long CREEP_MS_PER_SECOND = 20;

  private long aheadMs;
  private long frozenMs;
  private long movedNs;

  @Override
  public synchronized long wallMs() {
    return frozenMs == 0 ? System.currentTimeMillis() + aheadMs : frozenMs + creptMs();
  }

  private long creptMs() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - movedNs);
    return Math.max(0, seconds - STILL_SECONDS_MAX) * CREEP_MS_PER_SECOND;
  }

  /** Moves it forward. */
  synchronized void advance(long ms) {
    if (frozenMs == 0) {
      aheadMs += ms;
    } else {
      frozenMs = wallMs() + ms;
      movedNs = System.nanoTime();
    }
  }

  /**
   * From here on it moves by {@link #advance} alone, or nearly. Then no member gives another up, or
   * votes.
   */
  synchronized void freeze() {
    frozenMs = wallMs();
    movedNs = System.nanoTime();
  }

  /** From here on it goes by itself, from where it stands. */
  synchronized void thaw() {
    aheadMs = wallMs() - System.currentTimeMillis();
    frozenMs = 0;
  }

  @Override
  public void start(long floorMs) {}

  @Override
  public long nowMs() {
    return wallMs();
  }

  @Override
  public long estimateMs() {
    return wallMs();
  }

  @Override
  public long nanosUntil(long deadlineMs) {
    return Long.MAX_VALUE;
  }
}
