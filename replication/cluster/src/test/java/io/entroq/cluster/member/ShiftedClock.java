package io.entroq.cluster.member;

import io.entroq.engine.time.LogClock;
import java.util.concurrent.atomic.AtomicLong;

/** The wall clock, as far ahead as a test says. Any thread. */
record ShiftedClock(AtomicLong aheadMs) implements LogClock {
  @Override
  public long wallMs() {
    return System.currentTimeMillis() + aheadMs.get();
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
