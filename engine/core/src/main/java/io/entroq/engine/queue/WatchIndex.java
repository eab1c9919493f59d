package io.entroq.engine.queue;

import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.task.TaskStore;

/**
 * The queues that have both parked claims and waiting tasks; the one whose task is due first is at
 * the root. No other time matters to a parked claim, except to one on a queue with a policy: {@link
 * QueueRules#watchMs}. A queue on the serve list is left out, and returns once it has been served
 * if it still has to wait.
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
    if (queues.rules(a) != Slab.NONE || queues.rules(b) != Slab.NONE) {
      return isRuledBefore(a, b);
    }
    int taskA = arrivals.first(a);
    int taskB = arrivals.first(b);
    long dueA = arrivals.dueMs(taskA);
    long dueB = arrivals.dueMs(taskB);
    return dueA < dueB || (dueA == dueB && tasks.order(taskA) < tasks.order(taskB));
  }

  /** If both are due at once, queues without rules go first. */
  private boolean isRuledBefore(int a, int b) {
    long dueA = dueMs(a);
    long dueB = dueMs(b);
    if (dueA != dueB) {
      return dueA < dueB;
    }
    boolean isPlainA = queues.rules(a) == Slab.NONE;
    boolean isPlainB = queues.rules(b) == Slab.NONE;
    return isPlainA != isPlainB ? isPlainA : queues.isNameBefore(a, b);
  }

  private long dueMs(int queue) {
    return queues.rules(queue) == Slab.NONE
        ? arrivals.firstDueMs(queue)
        : queues.ruled().watchMs(queue);
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
    if (queues.rules(queue) != Slab.NONE) {
      queues.ruled().update(queue);
      return;
    }
    boolean watched =
        queues.firstWaiter(queue) != Slab.NONE
            && queues.waitingCount(queue) > 0
            && !queues.isToServe(queue);
    int position = queues.watchPosition(queue);
    if (watched && position == Slab.NONE) {
      add(queue);
    } else if (watched) {
      updateAt(position);
    } else {
      remove(queue);
    }
  }

  /** Takes a queue out, if it is watched. */
  public void remove(int queue) {
    int position = queues.watchPosition(queue);
    if (position != Slab.NONE) {
      removeAt(position);
      queues.watchPosition(queue, Slab.NONE);
    }
  }

  /** When the first watched queue is to be looked at. */
  @Override
  public long firstDeadlineMs() {
    return size() == 0 ? Long.MAX_VALUE : dueMs(root());
  }
}
