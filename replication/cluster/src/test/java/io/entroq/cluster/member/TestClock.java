package io.entroq.cluster.member;

import io.entroq.engine.time.LogClock;
import java.util.concurrent.TimeUnit;

/** A clock of several members, controlled by the test. Any thread. */
final class TestClock implements LogClock {
  /** Aeron uses this clock for the liveness of its clients, which would time out. */
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

  /** From now on the clock moves almost only by {@link #advance}, so that nothing times out. */
  synchronized void freeze() {
    frozenMs = wallMs();
    movedNs = System.nanoTime();
  }

  /** From now on the clock runs, starting at its current time. */
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
