package io.entroq.engine.queue;

import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotArrays;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.task.TaskStore;

/**
 * The waiting tasks of each queue, whose arrival time or lease end is in the future: a heap by
 * arrival time. Ties are broken by the order of entry into the heap, a number that is part of the
 * state.
 *
 * <p>A task whose version is exhausted waits forever, whatever its arrival time.
 */
public final class ArrivalIndex extends SlotHeap {

  private final TaskStore tasks;
  private final Slab slab;
  final SlotArrays arrays;
  private long lastOrder;

  public ArrivalIndex(QueueStore queues, TaskStore tasks) {
    this.tasks = tasks;
    this.slab = queues.slab;
    this.arrays =
        new SlotArrays(
            queues.slab,
            queues.arena,
            QueueStore.WAITING_BLOCK,
            QueueStore.WAITING_ADDRESS,
            QueueStore.WAITING_CAPACITY);
  }

  /** The order number assigned last. */
  public long lastOrder() {
    return lastOrder;
  }

  public void lastOrder(long order) {
    lastOrder = order;
  }

  @Override
  protected boolean before(int a, int b) {
    long dueA = dueMs(a);
    long dueB = dueMs(b);
    return dueA < dueB || (dueA == dueB && tasks.order(a) < tasks.order(b));
  }

  @Override
  protected void moved(int task, int position) {
    tasks.position(task, position);
  }

  /** When a task can be claimed: its arrival time, or {@link Long#MAX_VALUE} for never. */
  public long dueMs(int task) {
    return tasks.version(task) == Integer.MAX_VALUE ? Long.MAX_VALUE : tasks.arrivalMs(task);
  }

  public void add(int queue, int task) {
    int size = slab.getInt(queue, QueueStore.WAITING_SIZE);
    arrays.reserve(queue, size);
    tasks.isWaiting(task, true);
    tasks.order(task, ++lastOrder);
    attach(queue, size);
    add(task);
    slab.putInt(queue, QueueStore.WAITING_SIZE, size + 1);
    count(queue, task, 1);
  }

  public void remove(int queue, int task) {
    int size = slab.getInt(queue, QueueStore.WAITING_SIZE);
    attach(queue, size);
    int position = tasks.position(task);
    Invariant.check(
        position < size && at(position) == task, "waiting where it says", task, position);
    removeAt(position);
    slab.putInt(queue, QueueStore.WAITING_SIZE, size - 1);
    arrays.shrink(queue, size - 1);
    count(queue, task, -1);
  }

  /** True if no waiting task of a queue precedes its parent in the heap. */
  boolean isInOrder(int queue) {
    int size = slab.getInt(queue, QueueStore.WAITING_SIZE);
    for (int position = 1; position < size; position++) {
      if (before(at(queue, position), at(queue, (position - 1) >>> 1))) {
        return false;
      }
    }
    return true;
  }

  private void attach(int queue, int size) {
    attach(arrays.address(queue), size, arrays.capacity(queue));
  }

  /** Adds {@code by} to the counters of claimed and held tasks that include a waiting task. */
  void count(int queue, int task, int by) {
    if (tasks.claims(task) > 0) {
      slab.putInt(
          queue, QueueStore.WAITING_CLAIMED, slab.getInt(queue, QueueStore.WAITING_CLAIMED) + by);
    }
    if (tasks.hasClaimant(task)) {
      slab.putInt(queue, QueueStore.WAITING_HELD, slab.getInt(queue, QueueStore.WAITING_HELD) + by);
    }
  }

  /** The waiting task that is due first, or {@link Slab#NONE}. */
  public int first(int queue) {
    if (slab.getInt(queue, QueueStore.WAITING_SIZE) == 0) {
      return Slab.NONE;
    }
    return at(queue, 0);
  }

  /** When the first waiting task is due; {@link Long#MAX_VALUE} if never. */
  public long firstDueMs(int queue) {
    int first = first(queue);
    return first == Slab.NONE ? Long.MAX_VALUE : dueMs(first);
  }

  /** Copies the first {@code count} tasks of the heap array, which has at least as many. */
  public void copy(int queue, int count, int[] into, int at) {
    arrays.copy(queue, count, into, at);
  }

  /** The task at a heap position, from 0 to {@link QueueStore#waitingCount} - 1. */
  public int at(int queue, int position) {
    return arrays.get(queue, position);
  }

  /**
   * Counts due tasks: continues a walk through the heap that visits parents before children and
   * skips the children of a task that is not due. Exact if nothing changes meanwhile.
   *
   * @param position where to continue; 0 to begin
   * @param due receives the counts
   * @param count the maximum number of tasks to count
   * @return where to continue, or {@link Slab#NONE} if all are counted
   */
  public int countDue(int queue, int position, long nowMs, DueCount due, int count) {
    int at = position;
    for (int left = count; left > 0 && at != Slab.NONE; ) {
      if (isDue(queue, at, nowMs)) {
        int task = at(queue, at);
        due.add(tasks.claims(task) > 0, tasks.hasClaimant(task));
        left--;
        at = 2 * at + 1;
      } else {
        at = nextSubtree(at);
      }
    }
    return at;
  }

  /** Whether a waiting task becomes ready before another, once both are due. */
  public boolean isBefore(int a, int b) {
    return before(a, b);
  }

  /**
   * Counts the tasks that become ready before one: continues a walk as {@link #countDue} does.
   *
   * @param task a waiting task of the queue
   * @param position where to continue; 0 to begin
   * @param before receives the counts
   * @param count the maximum number of tasks to count
   * @return where to continue, or {@link Slab#NONE} if all are counted
   */
  public int countBefore(int queue, int task, int position, DueCount before, int count) {
    int size = slab.getInt(queue, QueueStore.WAITING_SIZE);
    int at = position;
    for (int left = count; left > 0 && at != Slab.NONE; ) {
      if (at < size && before(at(queue, at), task)) {
        before.add(false, false);
        left--;
        at = 2 * at + 1;
      } else {
        at = nextSubtree(at);
      }
    }
    return at;
  }

  private boolean isDue(int queue, int position, long nowMs) {
    return position < slab.getInt(queue, QueueStore.WAITING_SIZE)
        && dueMs(at(queue, position)) <= nowMs;
  }
}
