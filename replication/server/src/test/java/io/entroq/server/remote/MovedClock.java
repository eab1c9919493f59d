package io.entroq.server.remote;

import io.entroq.engine.time.LogClock;
import java.util.concurrent.TimeUnit;

/**
 * A clock of several members, which a test moves forward. It stands still otherwise, or goes. Any
 * thread.
 */
final class MovedClock implements LogClock {
  /** Aeron looks after its clients by this clock, and a client that is not looked after ends. */
  private static final long STILL_SECONDS_MAX = 4;

  private static final long CREEP_MS_PER_SECOND = 20;

  private long aheadMs;
  private long stillMs;
  private long movedNs;

  @Override
  public synchronized long wallMs() {
    return stillMs == 0 ? System.currentTimeMillis() + aheadMs : stillMs + creptMs();
  }

  private long creptMs() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - movedNs);
    return Math.max(0, seconds - STILL_SECONDS_MAX) * CREEP_MS_PER_SECOND;
  }

  /** Moves it forward. */
  synchronized void advance(long ms) {
    if (stillMs == 0) {
      aheadMs += ms;
    } else {
      stillMs = wallMs() + ms;
      movedNs = System.nanoTime();
    }
  }

  /** From here on it moves by {@link #advance} alone, or nearly. Then nobody is elected. */
  synchronized void stop() {
    stillMs = wallMs();
    movedNs = System.nanoTime();
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
