package io.entroq.server.bench;

import java.util.concurrent.atomic.AtomicLong;

/**
 * At a rate, whatever the answers take: cycles are due at even distances, and each is begun by the
 * first caller that is free. If all of them are late, what is due piles up and is done as fast as
 * they can; nothing is left out. So a wait that delays many cycles is seen in all of them.
 */
final class OpenLoop implements Pace {
  private final BenchClock clock;
  private final Course course;
  private final double cycleNs;
  private final AtomicLong begun = new AtomicLong();

  /**
   * @param cyclesPerSecond above 0
   */
  OpenLoop(BenchClock clock, Course course, double cyclesPerSecond) {
    this.clock = clock;
    this.course = course;
    this.cycleNs = 1e9 / cyclesPerSecond;
  }

  @Override
  public long next() {
    while (true) {
      long dueNs = course.startNs() + (long) (begun.getAndIncrement() * cycleNs);
      long nowNs = clock.awaitTime(dueNs, course);
      if (course.isOver(nowNs)) {
        begun.decrementAndGet();
        return ENDED;
      }
      // What the warm-up has left undone is not made up for: a JVM that was cold is not measured.
      if (course.isMeasured(dueNs) || !course.isMeasured(nowNs)) {
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
    long endNs = course.isOver(nowNs) ? course.untilNs() : nowNs;
    long due = (long) Math.ceil((endNs - course.startNs()) / cycleNs);
    return Math.max(0, due - begun.get());
  }
}
