package io.entroq.simulator.check;

import io.entroq.simulator.undo.CellHeap;
import io.entroq.simulator.undo.Cells;

/** Parked claims, by deadline and by queue. */
final class Waiters {
  static final int SEQUENCE = 0;
  static final int CLIENT = 1;
  static final int NUMBER = 2;
  static final int DEADLINE_MS = 3;
  static final int LEASE_MS = 4;
  static final int LIMIT = 5;
  static final int CLAIMANT_HIGH = 6;
  static final int CLAIMANT_LOW = 7;
  static final int CLAIMANT_TEXT = 8;
  static final int FIRST_MEMBERSHIP = 9;
  private static final int LAST_MEMBERSHIP = 10;
  private static final int POSITION = 11;
  private static final int CELL_COUNT = 12;

  // A waiter's entry in the list of one queue.
  static final int WAITER = 0;
  static final int QUEUE = 1;
  static final int NEXT_QUEUE = 2;
  private static final int BEFORE = 3;
  private static final int BEHIND = 4;
  private static final int MEMBERSHIP_CELLS = 5;

  private static final int COUNT = CellHeap.CELLS;

  private final Cells cells;
  private final Queues queues;
  private final int root;
  private final CellHeap byDeadline;

  Waiters(Cells cells, Queues queues) {
    this.cells = cells;
    this.queues = queues;
    root = cells.allocateCleared(CellHeap.CELLS + 1);
    byDeadline = new ByDeadline(cells);
  }

  private static final class ByDeadline extends CellHeap {
    ByDeadline(Cells cells) {
      super(cells, POSITION);
    }

    @Override
    public boolean before(int a, int b) {
      long deadlineA = cells.get(a + DEADLINE_MS);
      long deadlineB = cells.get(b + DEADLINE_MS);
      return deadlineA < deadlineB
          || (deadlineA == deadlineB && cells.get(a + SEQUENCE) < cells.get(b + SEQUENCE));
    }
  }

  int size() {
    return cells.ref(root + COUNT);
  }

  /**
   * A new waiter without queues. The caller sets the other cells.
   *
   * @param deadlineMs 0: none
   */
  int add(long sequence, long deadlineMs) {
    int waiter = cells.allocateCleared(CELL_COUNT);
    cells.set(waiter + SEQUENCE, sequence);
    cells.set(waiter + DEADLINE_MS, deadlineMs);
    if (deadlineMs != 0) {
      byDeadline.add(root, waiter);
    }
    cells.add(root + COUNT, 1);
    return waiter;
  }

  /** Adds a waiter to the end of a queue's list. */
  void join(int waiter, int queue) {
    int membership = cells.allocateCleared(MEMBERSHIP_CELLS);
    cells.set(membership + WAITER, waiter);
    cells.set(membership + QUEUE, queue);
    int last = cells.ref(queue + Queues.LAST_WAITER);
    cells.set(membership + BEFORE, last);
    cells.set(last == Cells.NONE ? queue + Queues.FIRST_WAITER : last + BEHIND, membership);
    if (last == Cells.NONE) {
      queues.addWaited(queue);
    }
    cells.set(queue + Queues.LAST_WAITER, membership);
    int former = cells.ref(waiter + LAST_MEMBERSHIP);
    cells.set(former == Cells.NONE ? waiter + FIRST_MEMBERSHIP : former + NEXT_QUEUE, membership);
    cells.set(waiter + LAST_MEMBERSHIP, membership);
    queues.touch(queue);
    queues.watch(queue);
  }

  boolean isLastIn(int queue, int waiter) {
    int last = cells.ref(queue + Queues.LAST_WAITER);
    return last != Cells.NONE && cells.ref(last + WAITER) == waiter;
  }

  /** Whether a claim waits for the queue. */
  boolean isIn(int queue, long request) {
    int membership = cells.ref(queue + Queues.FIRST_WAITER);
    while (membership != Cells.NONE
        && cells.get(cells.ref(membership + WAITER) + SEQUENCE) != request) {
      membership = cells.ref(membership + BEHIND);
    }
    return membership != Cells.NONE;
  }

  /** The waiter that has waited longest for the queue, or {@link Cells#NONE}. */
  int oldestIn(int queue) {
    int first = cells.ref(queue + Queues.FIRST_WAITER);
    return first == Cells.NONE ? Cells.NONE : cells.ref(first + WAITER);
  }

  void remove(int waiter) {
    int membership = cells.ref(waiter + FIRST_MEMBERSHIP);
    while (membership != Cells.NONE) {
      int next = cells.ref(membership + NEXT_QUEUE);
      leave(membership);
      membership = next;
    }
    if (byDeadline.holds(waiter)) {
      byDeadline.remove(root, waiter);
    }
    cells.add(root + COUNT, -1);
    cells.free(waiter, CELL_COUNT);
  }

  private void leave(int membership) {
    int queue = cells.ref(membership + QUEUE);
    int before = cells.ref(membership + BEFORE);
    int behind = cells.ref(membership + BEHIND);
    cells.set(before == Cells.NONE ? queue + Queues.FIRST_WAITER : before + BEHIND, behind);
    cells.set(behind == Cells.NONE ? queue + Queues.LAST_WAITER : behind + BEFORE, before);
    cells.free(membership, MEMBERSHIP_CELLS);
    if (cells.get(queue + Queues.FIRST_WAITER) == Cells.NONE) {
      queues.removeWaited(queue);
    }
    queues.watch(queue);
  }

  /** The waiter with the first deadline, or {@link Cells#NONE}. */
  int firstByDeadline() {
    return byDeadline.first(root);
  }

  /** The first deadline, or {@link Long#MAX_VALUE}. */
  long firstDeadlineMs() {
    int first = firstByDeadline();
    return first == Cells.NONE ? Long.MAX_VALUE : cells.get(first + DEADLINE_MS);
  }
}
