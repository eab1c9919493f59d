package io.entroq.engine.queue;

import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Holds;
import io.entroq.engine.task.TaskStore;

/**
 * The only place that changes the hold of a task, and with it the number of tasks in flight of its
 * queue. Call while the task is detached: the hold is part of its digest.
 */
public final class InFlight {

  private final TaskStore tasks;
  private final QueueStore queues;

  public InFlight(TaskStore tasks, QueueStore queues) {
    this.tasks = tasks;
    this.queues = queues;
  }

  /** A claim with a lease has chosen a task. */
  public void begin(int task) {
    Invariant.check(
        !Holds.isInFlight(tasks.hold(task)), "a task in flight is not claimed", task, 0);
    hold(task, tasks.queue(task), Holds.HELD);
  }

  /** Ends what there was of work on a task of a queue, which it may have left. */
  public void end(int task, int queue) {
    hold(task, queue, Holds.NONE);
  }

  /**
   * Sets what the writes of a task tell.
   *
   * @param queue the queue that counts it
   * @param hold one of {@link Holds}
   */
  public void hold(int task, int queue, int hold) {
    int before = tasks.hold(task);
    if (before == hold) {
      return;
    }
    tasks.hold(task, hold);
    boolean isInFlight = Holds.isInFlight(hold);
    if (isInFlight != Holds.isInFlight(before)) {
      int by = isInFlight ? 1 : -1;
      queues.addInFlight(queue, by);
      if (queues.rules(queue) != Slab.NONE) {
        queues.ruled().countInFlight(queue, by);
      }
    }
  }
}
