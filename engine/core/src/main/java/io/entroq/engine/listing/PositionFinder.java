package io.entroq.engine.listing;

import io.entroq.codec.message.Orders;
import io.entroq.codec.result.TaskPositionDecoder;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.policy.RuledQueues;
import io.entroq.engine.policy.StartForecast;
import io.entroq.engine.policy.StrictFronts;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.ReadyIndex;
import io.entroq.engine.task.TaskStore;

/**
 * Finds where tasks stand in queues with an order, a slice at a time. Tasks start in the order in
 * which they became ready; those that are due but not ready yet follow in the order in which they
 * became due. In strict order one task may be in front of all others.
 */
public final class PositionFinder {

  /** The position of a task that has none. */
  static final long NO_POSITION = -1;

  /** The effort to look at a task, where skipping a slot is 1. */
  private static final int LOOK_EFFORT = 4;

  private final TaskStore tasks;
  private final QueueStore queues;
  private final ReadyIndex ready;
  private final ArrivalIndex arrivals;
  private final StartForecast forecast;
  private final StrictFronts fronts;

  public PositionFinder(
      TaskStore tasks,
      QueueStore queues,
      ReadyIndex ready,
      ArrivalIndex arrivals,
      RuledQueues ruled) {
    this.tasks = tasks;
    this.queues = queues;
    this.ready = ready;
    this.arrivals = arrivals;
    this.forecast = ruled.forecast();
    this.fronts = ruled.fronts();
  }

  /**
   * Continues to answer a question. The first one about a queue looks at all of its ready tasks;
   * later ones take logarithmic time, for as long as the queue is asked about.
   *
   * @param effort how much work to do, in slots skipped
   * @return false if it is answered
   */
  public boolean find(PositionCursor cursor, long nowMs, int effort) {
    int task = task(cursor.query);
    cursor.isDone = task == Slab.NONE || find(cursor, task, nowMs, 1 + effort / LOOK_EFFORT);
    cursor.exists = task != Slab.NONE;
    return !cursor.isDone;
  }

  private int task(TaskPositionDecoder query) {
    int task = tasks.find(query.idHigh(), query.idLow());
    boolean isThere =
        task == Slab.NONE
            || query.queueLength() == 0
            || queues.isNamed(
                tasks.queue(task), query.buffer(), query.queueOffset(), query.queueLength());
    return isThere ? task : Slab.NONE;
  }

  private boolean find(PositionCursor cursor, int task, long nowMs, int most) {
    int queue = tasks.queue(task);
    long dueMs = arrivals.dueMs(task);
    cursor.isReady = !tasks.isWaiting(task) || dueMs <= nowMs;
    if (!cursor.isReady) {
      cursor.expectedStartMs = dueMs == Long.MAX_VALUE ? 0 : dueMs;
      return true;
    }
    int order = forecast.order(queue);
    int front = order == Orders.STRICT ? fronts.of(queue) : Slab.NONE;
    if (order == Orders.COIN) {
      return true;
    }
    if (front == task) {
      place(cursor, queue, 0, nowMs);
      return true;
    }
    boolean isKnown =
        tasks.isWaiting(task)
            ? countDue(cursor, queue, task, most)
            : ready.prepareRanks(queue, most) < most;
    if (!isKnown) {
      return false;
    }
    long fromMs = front == Slab.NONE ? nowMs : Math.max(nowMs, arrivals.dueMs(front));
    boolean overtakes = front != Slab.NONE && !isBefore(queue, front, task);
    place(cursor, queue, natural(cursor, queue, task) + (overtakes ? 1 : 0), fromMs);
    return true;
  }

  /** Counts the due tasks before a due one. Exact if nothing changes meanwhile. */
  private boolean countDue(PositionCursor cursor, int queue, int task, int most) {
    if (cursor.counting != task) {
      cursor.counting = task;
      cursor.duePosition = 0;
      cursor.dueBefore.clear();
    }
    if (cursor.duePosition != Slab.NONE) {
      cursor.duePosition =
          arrivals.countBefore(queue, task, cursor.duePosition, cursor.dueBefore, most);
    }
    return cursor.duePosition == Slab.NONE;
  }

  /** The position without regard to the task in front. */
  private long natural(PositionCursor cursor, int queue, int task) {
    return tasks.isWaiting(task)
        ? queues.readyCount(queue) + (long) cursor.dueBefore.tasks()
        : ready.rank(queue, task);
  }

  /** Whether the task in front would start before another anyway. */
  private boolean isBefore(int queue, int front, int task) {
    if (tasks.isWaiting(front)) {
      return tasks.isWaiting(task) && arrivals.isBefore(front, task);
    }
    return tasks.isWaiting(task) || ready.rank(queue, front) < ready.rank(queue, task);
  }

  private void place(PositionCursor cursor, int queue, long position, long fromMs) {
    cursor.position = position;
    cursor.expectedStartMs = forecast.expectedStartMs(queue, position, fromMs);
  }
}
