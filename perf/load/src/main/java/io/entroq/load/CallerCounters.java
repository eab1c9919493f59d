package io.entroq.load;

import java.util.concurrent.atomic.AtomicLong;

/** What one caller has done. It counts; any thread reads. */
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
   * Tasks were deleted.
   *
   * @param isMeasured whether within the time that is measured
   */
  void countDeleted(int tasks, boolean isMeasured) {
    add(deleted, tasks);
    if (isMeasured) {
      add(measuredTasks, tasks);
    }
  }

  /**
   * A cycle has ended.
   *
   * @param isMeasured whether within the time that is measured
   */
  void countCycle(boolean isMeasured) {
    add(cycles, 1);
    if (isMeasured) {
      add(measuredCycles, 1);
    }
  }

  private static void add(AtomicLong counter, long more) {
    // There is one writer, so no need for an atomic addition.
    counter.lazySet(counter.getPlain() + more);
  }

  /** How far it is: what is inserted, claimed and deleted was so at one moment. */
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
