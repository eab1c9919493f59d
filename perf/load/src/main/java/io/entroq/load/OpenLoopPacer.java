package io.entroq.load;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Open loop: cycles are due at even intervals, however slow the answers, and the first free caller
 * begins each. If all callers are late, overdue cycles queue up and none is skipped. So a stall
 * shows in every cycle that it delays.
 */
final class OpenLoopPacer implements Pacer {
  private final LoadClock clock;
  private final RunSchedule schedule;
  private final double cycleNs;
  private final AtomicLong begun = new AtomicLong();

  /**
   * @param cyclesPerSecond above 0
   */
  OpenLoopPacer(LoadClock clock, RunSchedule schedule, double cyclesPerSecond) {
    this.clock = clock;
    this.schedule = schedule;
    this.cycleNs = 1e9 / cyclesPerSecond;
  }

  @Override
  public long next() {
    while (true) {
      long dueNs = schedule.startNs() + (long) (begun.getAndIncrement() * cycleNs);
      long nowNs = clock.awaitTime(dueNs, schedule);
      if (schedule.isOver(nowNs)) {
        begun.decrementAndGet();
        return ENDED;
      }
      // Skips overdue cycles of the warm-up, so that a cold JVM is not measured.
      if (schedule.isMeasured(dueNs) || !schedule.isMeasured(nowNs)) {
        return dueNs;
      }
    }
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public long overdue(long nowNs) {
    long endNs = schedule.isOver(nowNs) ? schedule.untilNs() : nowNs;
    long due = (long) Math.ceil((endNs - schedule.startNs()) / cycleNs);
    return Math.max(0, due - begun.get());
  }
}
