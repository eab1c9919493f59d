package io.entroq.load;

/** Closed loop: a cycle is due when its caller is ready for it. */
final class ClosedLoopPacer implements Pacer {
  private final LoadClock clock;
  private final RunSchedule schedule;

  ClosedLoopPacer(LoadClock clock, RunSchedule schedule) {
    this.clock = clock;
    this.schedule = schedule;
  }

  @Override
  public long next() {
    long nowNs = clock.nanoTime();
    return schedule.isOver(nowNs) ? ENDED : nowNs;
  }

  @Override
  public boolean isOpen() {
    return false;
  }

  @Override
  public long overdue(long nowNs) {
    return 0;
  }
}
