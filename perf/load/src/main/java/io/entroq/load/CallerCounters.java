package io.entroq.load;

import java.util.concurrent.atomic.AtomicLong;

/** The counters of one caller. It counts; any thread reads. */
final class CallerCounters {
  private final AtomicLong inserted = new AtomicLong();
  private final AtomicLong claimed = new AtomicLong();
  private final AtomicLong deleted = new AtomicLong();
  private final AtomicLong cycles = new AtomicLong();
  private final AtomicLong measuredCycles = new AtomicLong();
  private final AtomicLong measuredTasks = new AtomicLong();

  void countInserted(int tasks) {
    add(inserted, tasks);
  }

  void countClaimed(int tasks) {
    add(claimed, tasks);
  }

  /**
   * Counts deleted tasks.
   *
   * @param isMeasured whether within the measured time
   */
  void countDeleted(int tasks, boolean isMeasured) {
    add(deleted, tasks);
    if (isMeasured) {
      add(measuredTasks, tasks);
    }
  }

  /**
   * Counts a cycle.
   *
   * @param isMeasured whether within the measured time
   */
  void countCycle(boolean isMeasured) {
    add(cycles, 1);
    if (isMeasured) {
      add(measuredCycles, 1);
    }
  }

  private static void add(AtomicLong counter, long more) {
    // There is one writer, so the addition need not be atomic.
    counter.lazySet(counter.getPlain() + more);
  }

  /** A consistent snapshot of inserted, claimed and deleted tasks. */
  Totals totals() {
    long deletedNow;
    long claimedNow;
    long insertedNow;
    do {
      deletedNow = deleted.get();
      claimedNow = claimed.get();
      insertedNow = inserted.get();
    } while (claimedNow != claimed.get() || deletedNow != deleted.get());
    return new Totals(
        insertedNow,
        claimedNow,
        deletedNow,
        cycles.get(),
        measuredCycles.get(),
        measuredTasks.get());
  }
}
