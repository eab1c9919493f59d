package io.entroq.cluster.member;

import io.entroq.engine.time.LogClock;

/** A clock of several members, which goes as the test says. Any thread. */
final class TestClock implements LogClock {
  private long aheadMs;
  private long frozenMs;

  @Override
  public synchronized long wallMs() {
    return frozenMs == 0 ? System.currentTimeMillis() + aheadMs : frozenMs;
  }

  /** Moves it forward. */
  synchronized void advance(long ms) {
    aheadMs += ms;
    frozenMs += frozenMs == 0 ? 0 : ms;
  }

  /** From here on it moves by {@link #advance} alone. Then no member gives another up, or votes. */
  synchronized void freeze() {
    frozenMs = wallMs();
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
