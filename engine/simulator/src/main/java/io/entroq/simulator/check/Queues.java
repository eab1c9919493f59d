package io.entroq.simulator.check;

import io.entroq.simulator.undo.CellHeap;
import io.entroq.simulator.undo.Cells;

/**
 * The queues: available tasks in order, waiting tasks by arrival time, waiting claims, and the
 * queues to serve. Their order is part of an engine's state, so everything but random choices can
 * be predicted.
 */
final class Queues {
  static final int NAME = 0;
  static final int TASKS = 1;

  /** A dense array of available tasks. The last one fills the gap of one that is removed. */
  private static final int READY = 2;

  private static final int READY_CAPACITY = 3;
  static final int READY_COUNT = 4;

  /** Heap of waiting tasks, and of due ones that no choice has made ready yet. */
  static final int WAITING = 5;

  static final int OLDEST = 8;
  private static final int YOUNGEST = 9;
  static final int FIRST_WAITER = 10;
  static final int LAST_WAITER = 11;
  private static final int IS_TO_SERVE = 12;
  private static final int NEXT_TO_SERVE = 13;
  private static final int WATCH_POSITION = 14;

  /** How many choices in a row have passed over the oldest available task. */
  static final int PASSED_OVER = 15;

  /** Available tasks that were claimed before. */
  static final int READY_CLAIMED = 16;

  private static final int CELL_COUNT = 17;

  /** How many due tasks one choice makes ready. */
  private static final int PROMOTED_MAX = 256;

  private static final int READY_CAPACITY_MIN = 4;

  // Cells of the root block.
  private static final int DIRECTORY = 0;
  private static final int DIRECTORY_CAPACITY = 1;
  private static final int SERVE_FIRST = 2;
  private static final int SERVE_LAST = 3;
  private static final int LAST_ORDER = 4;
  private static final int WATCHED = 5;
  private static final int ROOT_CELLS = WATCHED + CellHeap.CELLS;

  private final Cells cells;
  private final int root;
  private final CellHeap waiting;
  private final CellHeap watched;

  Queues(Cells cells) {
    this.cells = cells;
    root = cells.allocateCleared(ROOT_CELLS);
    waiting = new WaitingTasks(cells);
    watched = new WatchedQueues(cells, waiting);
  }

  /** By time, then in the order in which they began to wait. */
  private static final class WaitingTasks extends CellHeap {
    WaitingTasks(Cells cells) {
      super(cells, Tasks.POSITION);
    }

    @Override
    public boolean before(int a, int b) {
      long arrivalA = cells.get(a + Tasks.ARRIVAL_MS);
      long arrivalB = cells.get(b + Tasks.ARRIVAL_MS);
      return arrivalA < arrivalB
          || (arrivalA == arrivalB && cells.get(a + Tasks.ORDER) < cells.get(b + Tasks.ORDER));
    }
  }

  /** Queues with waiting claims, by the first of their waiting tasks. */
  private static final class WatchedQueues extends CellHeap {
    private final CellHeap waiting;

    WatchedQueues(Cells cells, CellHeap waiting) {
      super(cells, WATCH_POSITION);
      this.waiting = waiting;
    }

    @Override
    public boolean before(int a, int b) {
      return waiting.before(waiting.first(a + WAITING), waiting.first(b + WAITING));
    }
  }

  /** The queue of a name, created if necessary. */
  int of(int name) {
    int capacity = cells.ref(root + DIRECTORY_CAPACITY);
    if (name >= capacity) {
      int larger = Math.max(64, Integer.highestOneBit(name) * 2);
      cells.set(root + DIRECTORY, cells.grown(cells.ref(root + DIRECTORY), capacity, larger));
      cells.set(root + DIRECTORY_CAPACITY, larger);
    }
    int entry = cells.ref(root + DIRECTORY) + name;
    int queue = cells.ref(entry);
    if (queue == Cells.NONE) {
      queue = cells.allocateCleared(CELL_COUNT);
      cells.set(queue + NAME, name);
      cells.set(entry, queue);
    }
    return queue;
  }

  /** The queue of a name, or {@link Cells#NONE}. */
  int find(int name) {
    return name < cells.ref(root + DIRECTORY_CAPACITY)
        ? cells.ref(cells.ref(root + DIRECTORY) + name)
        : Cells.NONE;
  }

  /** Whether a queue has neither tasks nor waiting claims. */
  boolean isUnused(int queue) {
    return cells.get(queue + TASKS) == 0
        && cells.get(queue + FIRST_WAITER) == Cells.NONE
        && cells.get(queue + IS_TO_SERVE) == 0;
  }

  /** Removes an unused queue. */
  void remove(int queue) {
    if (cells.ref(queue + READY) != Cells.NONE) {
      cells.free(cells.ref(queue + READY), cells.ref(queue + READY_CAPACITY));
    }
    waiting.release(queue + WAITING);
    cells.set(cells.ref(root + DIRECTORY) + cells.ref(queue + NAME), Cells.NONE);
    cells.free(queue, CELL_COUNT);
  }

  // Tasks of a queue.

  /** Takes a task out of its queue, so that its fields may be changed. */
  void detach(int task) {
    int queue = cells.ref(task + Tasks.QUEUE);
    cells.add(queue + TASKS, -1);
    if (cells.get(task + Tasks.IS_WAITING) != 0) {
      waiting.remove(queue + WAITING, task);
      watch(queue);
    } else {
      removeReady(queue, task);
    }
  }

  /** Puts a task into its queue. */
  void attach(int task, long nowMs) {
    int queue = cells.ref(task + Tasks.QUEUE);
    cells.add(queue + TASKS, 1);
    if (cells.get(task + Tasks.ARRIVAL_MS) > nowMs) {
      cells.add(root + LAST_ORDER, 1);
      cells.set(task + Tasks.ORDER, cells.get(root + LAST_ORDER));
      cells.set(task + Tasks.IS_WAITING, 1);
      waiting.add(queue + WAITING, task);
      watch(queue);
    } else {
      addReady(queue, task);
      if (cells.get(queue + FIRST_WAITER) != Cells.NONE) {
        addToServe(queue);
      }
    }
  }

  private void addReady(int queue, int task) {
    int count = cells.ref(queue + READY_COUNT);
    if (count == cells.ref(queue + READY_CAPACITY)) {
      int larger = Math.max(READY_CAPACITY_MIN, count * 2);
      cells.set(queue + READY, cells.grown(cells.ref(queue + READY), count, larger));
      cells.set(queue + READY_CAPACITY, larger);
    }
    cells.set(queue + READY_COUNT, count + 1L);
    cells.set(cells.ref(queue + READY) + count, task);
    cells.set(task + Tasks.POSITION, count + 1L);
    cells.set(task + Tasks.IS_WAITING, 0);
    int youngest = cells.ref(queue + YOUNGEST);
    cells.set(task + Tasks.OLDER, youngest);
    cells.set(task + Tasks.YOUNGER, Cells.NONE);
    cells.set(youngest == Cells.NONE ? queue + OLDEST : youngest + Tasks.YOUNGER, task);
    cells.set(queue + YOUNGEST, task);
    if (cells.get(task + Tasks.CLAIMS) > 0) {
      cells.add(queue + READY_CLAIMED, 1);
    }
  }

  private void removeReady(int queue, int task) {
    int array = cells.ref(queue + READY);
    int last = cells.ref(queue + READY_COUNT) - 1;
    int position = cells.ref(task + Tasks.POSITION) - 1;
    if (position != last) {
      int moved = cells.ref(array + last);
      cells.set(array + position, moved);
      cells.set(moved + Tasks.POSITION, position + 1L);
    }
    cells.set(queue + READY_COUNT, last);
    cells.set(task + Tasks.POSITION, 0);
    if (cells.get(task + Tasks.CLAIMS) > 0) {
      cells.add(queue + READY_CLAIMED, -1);
    }
    int older = cells.ref(task + Tasks.OLDER);
    int younger = cells.ref(task + Tasks.YOUNGER);
    cells.set(older == Cells.NONE ? queue + OLDEST : older + Tasks.YOUNGER, younger);
    cells.set(younger == Cells.NONE ? queue + YOUNGEST : younger + Tasks.OLDER, older);
    if (older == Cells.NONE) {
      cells.set(queue + PASSED_OVER, 0);
    }
  }

  /** Whether the queue has a task to claim. */
  boolean hasWork(int queue, long nowMs) {
    return cells.get(queue + READY_COUNT) > 0 || firstDueMs(queue) <= nowMs;
  }

  private long firstDueMs(int queue) {
    int first = waiting.first(queue + WAITING);
    return first == Cells.NONE ? Long.MAX_VALUE : cells.get(first + Tasks.ARRIVAL_MS);
  }

  /** Makes due tasks ready, as the engine does before each choice. */
  void promote(int queue, long nowMs) {
    if (firstDueMs(queue) > nowMs) {
      return;
    }
    for (int i = 0; i < PROMOTED_MAX && firstDueMs(queue) <= nowMs; i++) {
      int task = waiting.first(queue + WAITING);
      waiting.remove(queue + WAITING, task);
      addReady(queue, task);
    }
    watch(queue);
  }

  /** The waiting task at a position of the heap, from 0. */
  int waitingAt(int queue, int position) {
    return waiting.at(queue + WAITING, position);
  }

  int waitingCount(int queue) {
    return waiting.size(queue + WAITING);
  }

  /** The available task at an index, from 0. */
  int readyAt(int queue, int index) {
    return cells.ref(cells.ref(queue + READY) + index);
  }

  // Queues with waiting claims.

  /** Updates whether and when a queue can serve waiting claims. */
  void watch(int queue) {
    boolean matters =
        cells.get(queue + FIRST_WAITER) != Cells.NONE
            && waiting.size(queue + WAITING) > 0
            && cells.get(queue + IS_TO_SERVE) == 0;
    if (matters && watched.holds(queue)) {
      watched.update(root + WATCHED, queue);
    } else if (matters) {
      watched.add(root + WATCHED, queue);
    } else if (watched.holds(queue)) {
      watched.remove(root + WATCHED, queue);
    }
  }

  /** When the first task that a claim waits for is due; {@link Long#MAX_VALUE} if never. */
  long firstWatchedMs() {
    int queue = watched.first(root + WATCHED);
    return queue == Cells.NONE ? Long.MAX_VALUE : firstDueMs(queue);
  }

  /** Adds queues with due tasks to the queues to serve, in the order of their times. */
  void serveDue(long nowMs) {
    while (firstWatchedMs() <= nowMs) {
      addToServe(watched.first(root + WATCHED));
    }
  }

  private void addToServe(int queue) {
    if (cells.get(queue + IS_TO_SERVE) != 0) {
      return;
    }
    cells.set(queue + IS_TO_SERVE, 1);
    cells.set(queue + NEXT_TO_SERVE, Cells.NONE);
    int last = cells.ref(root + SERVE_LAST);
    cells.set(last == Cells.NONE ? root + SERVE_FIRST : last + NEXT_TO_SERVE, queue);
    cells.set(root + SERVE_LAST, queue);
    watch(queue);
  }

  /** The first queue to serve, or {@link Cells#NONE}. */
  int firstToServe() {
    return cells.ref(root + SERVE_FIRST);
  }

  /** Removes the first queue to serve. */
  void served() {
    int queue = firstToServe();
    int next = cells.ref(queue + NEXT_TO_SERVE);
    cells.set(root + SERVE_FIRST, next);
    if (next == Cells.NONE) {
      cells.set(root + SERVE_LAST, Cells.NONE);
    }
    cells.set(queue + IS_TO_SERVE, 0);
    watch(queue);
  }
}
