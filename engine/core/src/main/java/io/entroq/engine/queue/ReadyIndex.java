package io.entroq.engine.queue;

import io.entroq.engine.memory.ChunkedSlotArrays;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.TaskStore;

/**
 * The ready tasks of each queue: a dense array to pick one at random, and a list in the order in
 * which they became ready to find the oldest. Operations take constant time, however long a queue
 * is; to add or remove a late task ({@link LateIndex}) takes logarithmic time.
 *
 * <p>Both orders are state: removing a task moves the last one of the array into its position.
 */
public final class ReadyIndex {

  private final TaskStore tasks;
  private final Slab slab;
  final ChunkedSlotArrays arrays;
  final LateIndex late;
  private final ReadyRanks ranks;

  public ReadyIndex(QueueStore queues, TaskStore tasks) {
    this.tasks = tasks;
    this.slab = queues.slab;
    this.arrays =
        new ChunkedSlotArrays(
            queues.slab,
            queues.arena,
            QueueStore.READY_BLOCK,
            QueueStore.READY_ADDRESS,
            QueueStore.READY_CAPACITY);
    this.late = new LateIndex(queues, tasks);
    this.ranks = new ReadyRanks(queues, tasks);
  }

  /** Adds a task as the youngest. */
  public void add(int queue, int task) {
    int size = slab.getInt(queue, QueueStore.READY_SIZE);
    arrays.reserve(queue, size);
    put(queue, size, task);
    slab.putInt(queue, QueueStore.READY_SIZE, size + 1);
    tasks.isWaiting(task, false);
    int youngest = slab.getInt(queue, QueueStore.YOUNGEST);
    Invariant.check(
        (size == 0) == (youngest == Slab.NONE), "array and list of the ready agree", queue, size);
    tasks.previous(task, youngest);
    tasks.next(task, Slab.NONE);
    if (youngest == Slab.NONE) {
      slab.putInt(queue, QueueStore.OLDEST, task);
    } else {
      tasks.next(youngest, task);
    }
    slab.putInt(queue, QueueStore.YOUNGEST, task);
    late.add(queue, task, youngest == Slab.NONE);
    if (ranks.isUsed()) {
      ranks.added(queue, task);
    }
  }

  public void remove(int queue, int task) {
    int position = tasks.position(task);
    int last = slab.getInt(queue, QueueStore.READY_SIZE) - 1;
    // Otherwise another task would lose its position, and a removed one could be claimed.
    Invariant.check(
        position <= last && arrays.get(queue, position) == task,
        "ready where it says",
        task,
        position);
    if (ranks.isUsed()) {
      ranks.removing(queue, task, last);
    }
    if (position != last) {
      put(queue, position, arrays.get(queue, last));
    }
    slab.putInt(queue, QueueStore.READY_SIZE, last);
    arrays.shrink(queue, last);
    late.remove(queue, task);
    unlink(queue, task);
    Invariant.check(
        (last == 0) == (oldest(queue) == Slab.NONE),
        "array and list of the ready agree",
        queue,
        last);
  }

  private void unlink(int queue, int task) {
    int previous = tasks.previous(task);
    int next = tasks.next(task);
    if (previous == Slab.NONE) {
      slab.putInt(queue, QueueStore.OLDEST, next);
    } else {
      tasks.next(previous, next);
    }
    if (next == Slab.NONE) {
      slab.putInt(queue, QueueStore.YOUNGEST, previous);
    } else {
      tasks.previous(next, previous);
    }
  }

  /** The task that became ready first, or {@link Slab#NONE}. */
  public int oldest(int queue) {
    return slab.getInt(queue, QueueStore.OLDEST);
  }

  /**
   * The earliest arrival time of a ready task, which need not be that of the {@link #oldest};
   * {@link Long#MAX_VALUE} if there is none. Cheap.
   */
  public long earliestMs(int queue) {
    int oldest = oldest(queue);
    return oldest == Slab.NONE ? Long.MAX_VALUE : late.earliestMs(queue, oldest);
  }

  /** Copies the first {@code count} tasks of the array, which has at least as many. */
  public void copy(int queue, int count, int[] into, int at) {
    arrays.copy(queue, count, into, at);
  }

  /** The task at an array position, from 0 to {@link QueueStore#readyCount} - 1. */
  public int at(int queue, int position) {
    return arrays.get(queue, position);
  }

  /** The ranks of ready tasks. */
  public ReadyRanks ranks() {
    return ranks;
  }

  /**
   * Continues to get ready for {@link #rank}: afterwards the ranks of a queue follow its changes,
   * for as long as somebody asks.
   *
   * @param most how many tasks to look at now
   * @return how many were looked at; the ranks are known if fewer than {@code most}
   */
  public int prepareRanks(int queue, int most) {
    return ranks.prepare(queue, oldest(queue), most);
  }

  /** How many tasks became ready before a ready one. Logarithmic time. */
  public int rank(int queue, int task) {
    return ranks.rank(queue, task);
  }

  private void put(int queue, int position, int task) {
    arrays.put(queue, position, task);
    tasks.position(task, position);
  }
}
