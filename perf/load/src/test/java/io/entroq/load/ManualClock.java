package io.entroq.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that goes on when it is told to, or when somebody waits for a time. */
final class ManualClock implements LoadClock {
  private final AtomicLong nowNs = new AtomicLong(-5_000_000_000L);

  void advance(Duration time) {
    nowNs.addAndGet(time.toNanos());
  }

  @Override
  public long nanoTime() {
    return nowNs.get();
  }

  @Override
  public long awaitTime(long timeNs, RunSchedule schedule) {
    long endNs = Math.min(timeNs, schedule.untilNs());
    return nowNs.accumulateAndGet(endNs, Math::max);
  }
}
