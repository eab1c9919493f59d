package io.entroq.engine.queue;

import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotArrays;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.task.TaskStore;

/**
 * Knows the earliest arrival time among the ready tasks of each queue, although their order is that
 * in which they became ready: with an arrival time in the past a task comes late, be it inserted so
 * or moved, given back, or promoted only now.
 *
 * <p>A ready task is late if it arrived before the latest of those that became ready before it and
 * were not late. Late ones are in a heap by arrival time. The earliest of all is either the first
 * of this heap or the one that became ready first: call that one <i>o</i>, and let <i>m</i> be any
 * that is not late. If <i>o</i> is not late either, <i>m</i> did not arrive before it, or <i>m</i>
 * would be late. If <i>o</i> is late, it arrived before one that was not late and that became ready
 * before it, hence before <i>m</i>, and so <i>m</i> did not arrive before that one.
 *
 * <p>So tasks that become ready in the order of their arrival cost one comparison. Nothing here is
 * state: all of it follows from the ready tasks and their order. Nor need the order of the heap be
 * total: of its first task only the arrival time is told, and equals have the same. Beyond {@link
 * TaskStore#LATE_MAX} late tasks in one queue the rest are left out.
 */
final class LateIndex extends SlotHeap {

  private final TaskStore tasks;
  private final Slab slab;
  private final SlotArrays arrays;

  LateIndex(QueueStore queues, TaskStore tasks) {
    this.tasks = tasks;
    this.slab = queues.slab;
    this.arrays =
        new SlotArrays(
            queues.slab,
            queues.arena,
            QueueStore.LATE_BLOCK,
            QueueStore.LATE_ADDRESS,
            QueueStore.LATE_CAPACITY);
  }

  @Override
  protected boolean before(int a, int b) {
    return tasks.arrivalMs(a) < tasks.arrivalMs(b);
  }

  @Override
  protected void moved(int task, int position) {
    tasks.latePosition(task, position);
  }

  /** A task has become ready. */
  void add(int queue, int task, boolean isOnly) {
    long arrivalMs = tasks.arrivalMs(task);
    long latestMs = slab.getLong(queue, QueueStore.LATEST_MS);
    if (isOnly || arrivalMs >= latestMs) {
      // Many come within one millisecond, and writing costs more than reading.
      if (arrivalMs != latestMs) {
        slab.putLong(queue, QueueStore.LATEST_MS, arrivalMs);
      }
      return;
    }
    int size = slab.getInt(queue, QueueStore.LATE_SIZE);
    if (size < TaskStore.LATE_MAX) {
      arrays.reserve(queue, size);
      attach(queue, size);
      add(task);
      slab.putInt(queue, QueueStore.LATE_SIZE, size + 1);
    }
  }

  /** A task is ready no more. */
  void remove(int queue, int task) {
    int position = tasks.latePosition(task);
    if (position == Slab.NONE) {
      return;
    }
    int size = slab.getInt(queue, QueueStore.LATE_SIZE);
    attach(queue, size);
    Invariant.check(position < size && at(position) == task, "late where it says", task, position);
    removeAt(position);
    tasks.latePosition(task, Slab.NONE);
    slab.putInt(queue, QueueStore.LATE_SIZE, size - 1);
    arrays.shrink(queue, size - 1);
  }

  private void attach(int queue, int size) {
    attach(arrays.address(queue), size, arrays.capacity(queue));
  }

  /**
   * The earliest arrival time of any ready task.
   *
   * @param oldest the task that became ready first
   */
  long earliestMs(int queue, int oldest) {
    long oldestMs = tasks.arrivalMs(oldest);
    return slab.getInt(queue, QueueStore.LATE_SIZE) == 0
        ? oldestMs
        : Math.min(oldestMs, tasks.arrivalMs(arrays.get(queue, 0)));
  }
}
