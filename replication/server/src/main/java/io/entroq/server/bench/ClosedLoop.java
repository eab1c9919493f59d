package io.entroq.server.bench;

/** As fast as the answers come: a cycle is due when its caller is ready for it. */
final class ClosedLoop implements Pace {
  private final BenchClock clock;
  private final Course course;

  ClosedLoop(BenchClock clock, Course course) {
    this.clock = clock;
    this.course = course;
  }

  @Override
  public long next() {
    long nowNs = clock.nanoTime();
    return course.isOver(nowNs) ? ENDED : nowNs;
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
