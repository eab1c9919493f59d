package io.entroq.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The tasks that callers must still commit after a run. Any thread. */
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

  boolean isWanted() {
    return !limit.isZero();
  }

  /**
   * A caller has inserted all of its tasks.
   *
   * @param debt how many more it has inserted than committed; negative if it committed those of
   *     others
   */
  void insertedAll(long debt) {
    left.addAndGet(debt);
    inserting.decrementAndGet();
  }

  void committed(int tasks) {
    left.addAndGet(-tasks);
  }

  /** Whether no task or no time is left. */
  boolean isOver() {
    boolean isEmpty = inserting.get() == 0 && left.get() <= 0;
    return isEmpty || isAbandoned || clock.nanoTime() - schedule.untilNs() - limit.toNanos() >= 0;
  }

  /** Ends the drain after the failure of a caller. */
  void abandon() {
    isAbandoned = true;
  }
}
