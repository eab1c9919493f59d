package io.entroq.engine.queue;

import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotArrays;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.task.TaskStore;

/**
 * Finds the earliest arrival time among the ready tasks of each queue. Ready tasks are ordered by
 * when they became ready, not by arrival time: a task that is inserted or moved with a past arrival
 * time, returned, or promoted with a delay becomes ready late.
 *
 * <p>A ready task is <i>late</i> if its arrival time is before the maximum of the tasks that became
 * ready before it and were not late. Late tasks are in a heap by arrival time. The earliest of all
 * is the root of this heap or the task <i>o</i> that became ready first. Proof, for any task
 * <i>m</i> that is not late: if <i>o</i> is not late, <i>m</i> did not arrive before <i>o</i>, or
 * <i>m</i> would be late. If <i>o</i> is late, it arrived before a task that was not late and
 * became ready before <i>o</i>, hence before <i>m</i>; <i>m</i> did not arrive before that task, so
 * not before <i>o</i>.
 *
 * <p>Tasks that become ready in order of arrival cost one comparison. Nothing here is state: it
 * follows from the ready tasks and their order. The heap order need not be total, because only the
 * arrival time of the root is used. Late tasks of a queue beyond {@link TaskStore#LATE_MAX} are
 * ignored.
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

  /** Adds a task that has become ready; {@code isOnly} if no other is. */
  void add(int queue, int task, boolean isOnly) {
    long arrivalMs = tasks.arrivalMs(task);
    long latestMs = slab.getLong(queue, QueueStore.LATEST_MS);
    if (isOnly || arrivalMs >= latestMs) {
      // Many tasks arrive within one millisecond, and a write costs more than a read.
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

  /** Removes a task that is no longer ready. */
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
