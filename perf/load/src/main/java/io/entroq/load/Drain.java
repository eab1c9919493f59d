package io.entroq.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** How many tasks are still to be committed after a run. Any thread. */
final class Drain {
  private final LoadClock clock;
  private final RunSchedule schedule;
  private final Duration limit;
  private final AtomicInteger inserting;
  private final AtomicLong left = new AtomicLong();
  private volatile boolean isAbandoned;

  /**
   * @param limit how long it may take; zero: nothing is drained
   */
  Drain(LoadClock clock, RunSchedule schedule, Duration limit, int callers) {
    this.clock = clock;
    this.schedule = schedule;
    this.limit = limit;
    inserting = new AtomicInteger(callers);
  }

  /** Whether callers claim until they have committed as many tasks as they have inserted. */
  boolean isWanted() {
    return !limit.isZero();
  }

  /**
   * A caller inserts no more.
   *
   * @param debt how many tasks more it has inserted than committed; negative if it committed those
   *     of others
   */
  void insertedAll(long debt) {
    left.addAndGet(debt);
    inserting.decrementAndGet();
  }

  /** Tasks were committed after the run. */
  void committed(int tasks) {
    left.addAndGet(-tasks);
  }

  /** Whether nothing is left, or no time. */
  boolean isOver() {
    boolean isEmpty = inserting.get() == 0 && left.get() <= 0;
    return isEmpty || isAbandoned || clock.nanoTime() - schedule.untilNs() - limit.toNanos() >= 0;
  }

  /** A caller has failed: what is left stays. */
  void abandon() {
    isAbandoned = true;
  }
}
