package io.entroq.engine.queue;

import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.task.TaskStore;

/**
 * The queues on which claims are parked and in which tasks wait for their time, the one whose task
 * is due first at the root: the only times that matter to a parked claim. A queue that is about to
 * be served is left out: it comes back, if it still has to wait, when it has been.
 */
public final class WatchIndex extends SlotHeap {

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
   * Brings the place of a queue up to date. To be called after every change of its waiting tasks or
   * of its parked claims, or of whether it is to be served, before anything else is asked.
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

  /** When the first watched task is due; {@link Long#MAX_VALUE} if there is none. */
  public long firstDueMs() {
    return size() == 0 ? Long.MAX_VALUE : arrivals.firstDueMs(root());
  }
}
