package io.entroq.engine.listing;

import io.entroq.codec.message.Facades;
import io.entroq.codec.result.ListTasksDecoder;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.ReadyIndex;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;
import io.entroq.engine.task.TaskView;

/** Lists tasks, contract 2.5, a slice at a time. */
public final class TaskLister {

  /** The effort to show a task, where skipping a slot is 1. */
  public static final int TASK_EFFORT = 32;

  /** The effort to look at a task in no order of the slots. */
  private static final int LOOK_EFFORT = 8;

  /** Bytes copied per unit of effort. */
  private static final int BYTES_PER_EFFORT = 64;

  private final TaskStore tasks;
  private final QueueStore queues;
  private final ReadyIndex ready;
  private final ArrivalIndex arrivals;
  private final Viewer viewer;
  private final Bytes idText = new Bytes();

  /** Shows a task by its slot. */
  @FunctionalInterface
  public interface Viewer {

    /** The task, with its value or without; valid until the next call. */
    TaskView view(int task, boolean withValue);
  }

  public TaskLister(
      TaskStore tasks, QueueStore queues, ReadyIndex ready, ArrivalIndex arrivals, Viewer viewer) {
    this.tasks = tasks;
    this.queues = queues;
    this.ready = ready;
    this.arrivals = arrivals;
    this.viewer = viewer;
  }

  /**
   * Continues a listing.
   *
   * @param sequence of the last record
   * @param effort how much work to do, in slots skipped; a task shown counts for {@link
   *     #TASK_EFFORT} of them, and more if it is long
   * @return false if the sink is full or the listing is complete
   */
  public boolean list(TaskCursor cursor, long sequence, long nowMs, int effort, TaskVisitor sink) {
    if (!cursor.isBegun) {
      begin(cursor, sequence);
    } else if (cursor.queue != Slab.NONE && !isSameQueue(cursor)) {
      // The queue was removed, so all its tasks have left it.
      cursor.finish();
    }
    int left = effort;
    while (left > 0 && !cursor.isDone()) {
      int from = cursor.next;
      int task = take(cursor, left);
      left -= cursor.source == TaskCursor.Source.ALL ? cursor.next - from : LOOK_EFFORT;
      if (task != Slab.NONE && !isLeasedByAnother(cursor.query, task, nowMs)) {
        left -= TASK_EFFORT + tasks.contentLength(task) / BYTES_PER_EFFORT;
        if (!sink.onTask(viewer.view(task, !cursor.query.omitsValues()))) {
          cursor.next--;
          return false;
        }
        cursor.left--;
      }
    }
    return !cursor.isDone();
  }

  private void begin(TaskCursor cursor, long sequence) {
    ListTasksDecoder query = cursor.query;
    cursor.isBegun = true;
    cursor.firstSequence = sequence;
    if (query.queueLength() > 0) {
      cursor.queue = queues.find(query.buffer(), query.queueOffset(), query.queueLength());
      if (cursor.queue == Slab.NONE) {
        cursor.begin(TaskCursor.Source.IDS, 0);
        return;
      }
    }
    if (query.idCount() > 0 || cursor.queue == Slab.NONE) {
      cursor.begin(TaskCursor.Source.IDS, query.idCount());
    } else {
      beginQueue(cursor);
    }
  }

  private void beginQueue(TaskCursor cursor) {
    int inQueue = queues.taskCount(cursor.queue);
    int limit = cursor.query.limit();
    boolean isLimited = limit > 0 && !filtersLeases(cursor.query);
    // With a limit, capture twice as many: some may be gone when their turn comes.
    int wanted = isLimited ? (int) Math.min(inQueue, 2L * limit) : inQueue;
    if (wanted > cursor.captured.length) {
      cursor.begin(TaskCursor.Source.ALL, tasks.highWater());
      return;
    }
    int fromReady = Math.min(wanted, queues.readyCount(cursor.queue));
    ready.copy(cursor.queue, fromReady, cursor.captured, 0);
    arrivals.copy(cursor.queue, wanted - fromReady, cursor.captured, fromReady);
    cursor.begin(TaskCursor.Source.CAPTURED, wanted);
  }

  /** Takes one step and returns the task it found, or {@link Slab#NONE}. */
  private int take(TaskCursor cursor, int effort) {
    return switch (cursor.source) {
      case IDS -> byId(cursor, cursor.next++);
      case CAPTURED -> ifThere(cursor, cursor.captured[cursor.next++]);
      case ALL -> walk(cursor, effort);
    };
  }

  private int byId(TaskCursor cursor, int id) {
    ListTasksDecoder query = cursor.query;
    int task = tasks.find(query.id(id).high(), query.id(id).low());
    boolean isMeant =
        task != Slab.NONE
            && isNamed(query, task, id)
            && (cursor.queue == Slab.NONE || tasks.queue(task) == cursor.queue);
    return isMeant ? task : Slab.NONE;
  }

  private boolean isNamed(ListTasksDecoder query, int task, int id) {
    if (query.facade() == Facades.V0) {
      return true;
    }
    tasks.idText(task, idText);
    return idText.matches(query.buffer(), query.id(id).textOffset(), query.id(id).textLength());
  }

  private int walk(TaskCursor cursor, int effort) {
    int bound = (int) Math.min(cursor.end, (long) cursor.next + effort);
    int task = tasks.nextIn(cursor.queue, cursor.next, bound);
    if (task == bound) {
      cursor.next = bound;
      return Slab.NONE;
    }
    cursor.next = task + 1;
    return ifThere(cursor, task);
  }

  /** The task of a slot, if it is in the queue and was inserted before the listing began. */
  private int ifThere(TaskCursor cursor, int slot) {
    long inserted = tasks.insertSequence(slot);
    boolean isThere =
        tasks.queue(slot) == cursor.queue && inserted != 0 && inserted <= cursor.firstSequence;
    return isThere ? slot : Slab.NONE;
  }

  private boolean isSameQueue(TaskCursor cursor) {
    ListTasksDecoder query = cursor.query;
    return queues.isAlive(cursor.queue)
        && queues.isNamed(cursor.queue, query.buffer(), query.queueOffset(), query.queueLength());
  }

  private static boolean filtersLeases(ListTasksDecoder query) {
    return (query.claimantHigh() | query.claimantLow()) != 0;
  }

  private boolean isLeasedByAnother(ListTasksDecoder query, int task, long nowMs) {
    return filtersLeases(query)
        && tasks.arrivalMs(task) > nowMs
        && (tasks.claimantLow(task) != query.claimantLow()
            || tasks.claimantHigh(task) != query.claimantHigh());
  }
}
