package io.entroq.engine.queue;

import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.task.TaskStore;

/**
 * The queues that have both parked claims and waiting tasks; the one whose task is due first is at
 * the root. No other time matters to a parked claim. A queue on the serve list is left out, and
 * returns once it has been served if it still has to wait.
 */
public final class WatchIndex extends SlotHeap implements DeadlineSource {

  private final QueueStore queues;
  private final TaskStore tasks;
  private final ArrivalIndex arrivals;

  public WatchIndex(QueueStore queues, TaskStore tasks, ArrivalIndex arrivals) {
    this.queues = queues;
    this.tasks = tasks;
    this.arrivals = arrivals;
  }

  @Override
  protected boolean before(int a, int b) {
    int taskA = arrivals.first(a);
    int taskB = arrivals.first(b);
    long dueA = arrivals.dueMs(taskA);
    long dueB = arrivals.dueMs(taskB);
    return dueA < dueB || (dueA == dueB && tasks.order(taskA) < tasks.order(taskB));
  }

  @Override
  protected void moved(int queue, int position) {
    queues.watchPosition(queue, position);
  }

  /**
   * Updates the position of a queue. Call after every change to its waiting tasks, its parked
   * claims or its place on the serve list, before any query.
   */
  public void update(int queue) {
    boolean watched =
        queues.firstWaiter(queue) != Slab.NONE
            && queues.waitingCount(queue) > 0
            && !queues.isToServe(queue);
    int position = queues.watchPosition(queue);
    if (watched && position == Slab.NONE) {
      add(queue);
    } else if (watched) {
      updateAt(position);
    } else if (position != Slab.NONE) {
      removeAt(position);
      queues.watchPosition(queue, Slab.NONE);
    }
  }

  /** When the first watched task is due. */
  @Override
  public long firstDeadlineMs() {
    return size() == 0 ? Long.MAX_VALUE : arrivals.firstDueMs(root());
  }
}
