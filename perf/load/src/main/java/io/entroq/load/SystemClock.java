package io.entroq.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

enum SystemClock implements LoadClock {
  CLOCK;

  /** A shorter sleep would end too late. */
  private static final long SLEEP_NS_MIN = TimeUnit.MICROSECONDS.toNanos(60);

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // a hint that correctness does not depend on
  public long awaitTime(long timeNs, RunSchedule schedule) {
    long nowNs = System.nanoTime();
    while (nowNs - timeNs < 0 && !schedule.isOver(nowNs)) {
      long leftNs = Math.min(timeNs - nowNs, schedule.untilNs() - nowNs);
      if (leftNs > SLEEP_NS_MIN) {
        // Woken when the schedule is cut short, see RunSchedule.
        LockSupport.parkNanos(leftNs - SLEEP_NS_MIN);
      } else {
        // A spinning loop would take the processor from the engine.
        Thread.yield();
      }
      nowNs = System.nanoTime();
    }
    return nowNs;
  }
}
