package io.entroq.load;

import java.util.concurrent.atomic.AtomicLong;

/**
 * At a rate, whatever the answers take: cycles are due at even distances, and each is begun by the
 * first caller that is free. If all of them are late, what is due piles up and is done as fast as
 * they can; nothing is left out. So a wait that delays many cycles is seen in all of them.
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
      // What the warm-up has left undone is not made up for: a JVM that was cold is not measured.
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
