package io.entroq.engine.state;

import io.entroq.codec.result.ListQueuesDecoder;
import io.entroq.codec.result.ListTasksDecoder;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.DueCount;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.ReadyIndex;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;
import org.agrona.DirectBuffer;

/** Answers questions about tasks and queues, contract 2.5 and 2.6. Changes nothing. */
final class Lister {

  private final TaskStore tasks;
  private final QueueStore queues;
  private final ReadyIndex ready;
  private final ArrivalIndex arrivals;
  private final TaskFlyweight view;
  private final Bytes name = new Bytes();
  private final Bytes idText = new Bytes();
  private final DueCount due = new DueCount();
  private final QueueFigures figures = new QueueFigures();
  private ListTasksDecoder query;
  private ResultSink sink;
  private long nowMs;
  private int left;

  Lister(Stores stores) {
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.ready = stores.ready;
    this.arrivals = stores.arrivals;
    this.view = new TaskFlyweight(stores.tasks, stores.queues, stores.claimants);
  }

  /** Lists tasks, by queue or by ids, between begin and end of an answer. */
  void listTasks(ListTasksDecoder request, long timeMs, ResultSink resultSink) {
    query = request;
    nowMs = timeMs;
    sink = resultSink;
    left = request.limit() > 0 ? request.limit() : Integer.MAX_VALUE;
    int queue =
        request.queueLength() == 0
            ? Slab.NONE
            : queues.find(request.buffer(), request.queueOffset(), request.queueLength());
    if (request.idCount() > 0) {
      listIds(queue);
    } else if (queue != Slab.NONE) {
      listQueue(queue);
    }
  }

  private void listIds(int queue) {
    for (int i = 0; i < query.idCount() && left > 0; i++) {
      int task = tasks.find(query.idHigh(i), query.idLow(i));
      boolean isMeant =
          task != Slab.NONE
              && isNamed(task, query.idTextOffset(i), query.idTextLength(i))
              && (query.queueLength() == 0 || tasks.queue(task) == queue);
      if (isMeant) {
        list(task);
      }
    }
  }

  private boolean isNamed(int task, int textOffset, int textLength) {
    if (query.isV0()) {
      return true;
    }
    tasks.idText(task, idText);
    return idText.matches(query.buffer(), textOffset, textLength);
  }

  private void listQueue(int queue) {
    int readyCount = queues.readyCount(queue);
    for (int i = 0; i < readyCount && left > 0; i++) {
      list(ready.at(queue, i));
    }
    int waitingCount = queues.waitingCount(queue);
    for (int i = 0; i < waitingCount && left > 0; i++) {
      list(arrivals.at(queue, i));
    }
  }

  private void list(int task) {
    if (!isLeasedByAnother(task)) {
      left--;
      sink.onTask(ResultSink.ROLE_LISTED, view.wrap(task, !query.omitsValues()));
    }
  }

  private boolean isLeasedByAnother(int task) {
    boolean filters = (query.claimantHigh() | query.claimantLow()) != 0;
    return filters
        && tasks.arrivalMs(task) > nowMs
        && (tasks.claimantLow(task) != query.claimantLow()
            || tasks.claimantHigh(task) != query.claimantHigh());
  }

  /** Lists the queues that match. */
  void listQueues(ListQueuesDecoder request, long timeMs, QueueStatsSink statsSink) {
    int limit = request.limit() > 0 ? request.limit() : Integer.MAX_VALUE;
    int highWater = queues.highWater();
    for (int queue = 0; queue < highWater && limit > 0; queue++) {
      if (queues.isAlive(queue) && queues.taskCount(queue) > 0 && matches(request, queue)) {
        limit--;
        count(queue, timeMs);
        statsSink.onQueue(name.buffer(), name.offset(), name.length(), figures);
      }
    }
  }

  private boolean matches(ListQueuesDecoder request, int queue) {
    queues.name(queue, name);
    if (request.prefixCount() + request.exactCount() == 0) {
      return true;
    }
    DirectBuffer buffer = request.buffer();
    for (int i = 0; i < request.exactCount(); i++) {
      if (name.matches(buffer, request.exactOffset(i), request.exactLength(i))) {
        return true;
      }
    }
    for (int i = 0; i < request.prefixCount(); i++) {
      if (name.startsWith(buffer, request.prefixOffset(i), request.prefixLength(i))) {
        return true;
      }
    }
    return false;
  }

  private void count(int queue, long timeMs) {
    arrivals.countDue(queue, timeMs, due);
    figures.tasks = queues.taskCount(queue);
    figures.available = queues.readyCount(queue) + due.tasks();
    figures.claimed = queues.waitingClaimed(queue) - due.claimed();
    figures.held = queues.waitingHeld(queue) - due.held();
    figures.claimsMax = queues.claimsMax(queue);
  }
}
