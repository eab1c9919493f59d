package io.entroq.engine.queue;

import io.entroq.engine.memory.Invariant;
import io.entroq.engine.task.TaskStore;

/**
 * The tasks that somebody works on, as a mark of each and a count of each queue.
 *
 * <p>A claim with a lease begins a flight. It ends when the task is deleted, given back, ready again
 * because its lease has ended, moved, failed (its attempt is raised), or written with an arrival time
 * that is not in the future. Any other write by the holder is a renewal. So the server tells these
 * apart without a hint from workers.
 *
 * <p>Call while the task is detached from the indexes of its queue: the mark is part of its digest.
 */
public final class InFlight {

  private final TaskStore tasks;
  private final QueueStore queues;

  public InFlight(TaskStore tasks, QueueStore queues) {
    this.tasks = tasks;
    this.queues = queues;
  }

  /** A claim has chosen a task of this queue, and gives it a lease. */
  public void begin(int task) {
    Invariant.check(!tasks.isInFlight(task), "a task in flight is not claimed", task, 0);
    tasks.isInFlight(task, true);
    queues.addInFlight(tasks.queue(task), 1);
  }

  /**
   * Ends the flight of a task, if it is in flight.
   *
   * @param queue the queue that it was claimed from, which it may have left
   * @return whether it was in flight
   */
  public boolean end(int task, int queue) {
    if (!tasks.isInFlight(task)) {
      return false;
    }
    tasks.isInFlight(task, false);
    queues.addInFlight(queue, -1);
    return true;
  }
}
