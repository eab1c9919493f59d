package io.entroq.engine.listing;

import io.entroq.codec.result.ListQueuesDecoder;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.policy.Outcomes;
import io.entroq.engine.policy.RuledQueues;
import io.entroq.engine.policy.StartForecast;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.ReadyIndex;
import io.entroq.engine.task.Bytes;

/** Lists queues with their counts (contract 2.6), a slice at a time. */
public final class QueueLister {

  /** The effort to look at a queue and its name, where skipping a free slot is 1. */
  private static final int LOOK_EFFORT = 8;

  /** The effort to show a queue. */
  private static final int QUEUE_EFFORT = 16;

  /** The effort to count a task that has come due. */
  private static final int DUE_EFFORT = 8;

  private final QueueStore queues;
  private final ReadyIndex ready;
  private final ArrivalIndex arrivals;
  private final StartForecast forecast;
  private final Outcomes outcomes;
  private final Bytes name = new Bytes();
  private final QueueCounts figures = new QueueCounts();

  public QueueLister(
      QueueStore queues, ReadyIndex ready, ArrivalIndex arrivals, RuledQueues ruled) {
    this.queues = queues;
    this.forecast = ruled.forecast();
    this.outcomes = ruled.outcomes();
    this.ready = ready;
    this.arrivals = arrivals;
  }

  /**
   * Continues a listing.
   *
   * @param effort how much work to do, in free slots skipped; a queue counts for many
   * @return false if the sink is full or the listing is complete
   */
  public boolean list(QueueCursor cursor, long nowMs, int effort, QueueVisitor sink) {
    if (!cursor.isBegun) {
      cursor.isBegun = true;
      cursor.endQueue = cursor.names.walks() ? queues.highWater() : 0;
    }
    int left = effort;
    while (left > 0 && !cursor.isDone()) {
      if (cursor.counting == Slab.NONE) {
        left -= find(cursor, nowMs);
      } else if (!isSameQueue(cursor)) {
        cursor.counting = Slab.NONE;
      } else if (cursor.duePosition != Slab.NONE) {
        left -= countDue(cursor, left);
      } else {
        left -= QUEUE_EFFORT;
        if (!show(cursor, sink)) {
          return false;
        }
      }
    }
    return !cursor.isDone();
  }

  /** Looks at one place for a queue to show. */
  private int find(QueueCursor cursor, long nowMs) {
    ListQueuesDecoder query = cursor.query;
    if (cursor.names.hasNext()) {
      int i = cursor.names.next();
      int queue = queues.find(query.buffer(), query.matchExactOffset(i), query.matchExactLength(i));
      if (queue != Slab.NONE && queues.taskCount(queue) > 0) {
        begin(cursor, queue, nowMs);
      }
      return LOOK_EFFORT;
    }
    int queue = cursor.nextQueue++;
    if (!queues.isAlive(queue)) {
      return 1;
    }
    if (queues.taskCount(queue) > 0 && matches(cursor, queue)) {
      begin(cursor, queue, nowMs);
    }
    return LOOK_EFFORT;
  }

  private boolean matches(QueueCursor cursor, int queue) {
    queues.name(queue, name);
    return cursor.names.matches(name.buffer(), name.offset(), name.length());
  }

  private void begin(QueueCursor cursor, int queue, long nowMs) {
    cursor.counting = queue;
    cursor.countingName = queues.nameHash(queue);
    cursor.countingNowMs = nowMs;
    cursor.duePosition = cursor.query.omitsStats() ? Slab.NONE : 0;
    cursor.due.clear();
  }

  private boolean isSameQueue(QueueCursor cursor) {
    int queue = cursor.counting;
    return queues.isAlive(queue)
        && queues.nameHash(queue) == cursor.countingName
        && queues.taskCount(queue) > 0;
  }

  private int countDue(QueueCursor cursor, int effort) {
    int before = cursor.due.tasks();
    cursor.duePosition =
        arrivals.countDue(
            cursor.counting,
            cursor.duePosition,
            cursor.countingNowMs,
            cursor.due,
            1 + effort / DUE_EFFORT);
    return (cursor.due.tasks() - before) * DUE_EFFORT;
  }

  private boolean show(QueueCursor cursor, QueueVisitor sink) {
    int queue = cursor.counting;
    queues.name(queue, name);
    describe(cursor, queue);
    if (!sink.onQueue(name.buffer(), name.offset(), name.length(), figures)) {
      return false;
    }
    cursor.counting = Slab.NONE;
    cursor.left--;
    return true;
  }

  /** Due tasks that were counted may no longer be waiting. */
  private void describe(QueueCursor cursor, int queue) {
    int waiting = queues.waitingCount(queue);
    int claimed = queues.waitingClaimed(queue);
    int due = Math.min(cursor.due.tasks(), waiting);
    figures.tasks = queues.taskCount(queue);
    figures.available = queues.readyCount(queue) + due;
    figures.claimed = Math.min(Math.max(0, claimed - cursor.due.claimed()), waiting - due);
    figures.held = Math.max(0, queues.waitingHeld(queue) - cursor.due.held());
    figures.claimsMax = queues.claimsMax(queue);
    figures.oldestAgeMs = figures.available == 0 ? 0 : oldestAgeMs(queue, cursor.countingNowMs);
    describeRules(queue, cursor.countingNowMs);
  }

  private void describeRules(int queue, long nowMs) {
    boolean isPlain = queues.isPlain(queue);
    figures.inFlight = queues.inFlight(queue);
    figures.bytes = queues.bytes(queue);
    figures.pausedUntilMs = isPlain ? 0 : forecast.pausedUntilMs(queue, nowMs);
    figures.nextStartMs = isPlain ? 0 : forecast.nextStartMs(queue, nowMs);
    figures.claimable =
        isPlain ? figures.available : forecast.startsNow(queue, figures.available, nowMs);
    figures.lapsed = outcomes.lapsed(queue);
    figures.dead = outcomes.dead(queue);
  }

  /** What became ready while due tasks were counted is younger than the count. */
  private long oldestAgeMs(int queue, long nowMs) {
    long earliestMs = Math.min(ready.earliestMs(queue), arrivals.firstDueMs(queue));
    if (earliestMs >= nowMs) {
      return 0;
    }
    long ageMs = nowMs - earliestMs;
    // A negative duration may lead further back than 64 bits can count.
    return ageMs < 0 ? Long.MAX_VALUE : ageMs;
  }
}
