package io.entroq.engine.queue;

import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.TaskStore;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The ranks of ready tasks in the queues that somebody asks about. No state: an index is built, a
 * slice at a time, by the first question about a queue, and follows its changes from then on. It is
 * dropped when the queue has changed often without a question ({@link #IDLE_CHANGES} times and four
 * times for each task), when it would waste memory, or when {@link #QUEUES_MAX} other queues were
 * asked about since. So it takes some 10 bytes per ready task of these queues at most.
 */
public final class ReadyRanks {

  static final int QUEUES_MAX = 64;
  static final int IDLE_CHANGES = 1 << 16;
  private static final int IDLE_CHANGES_PER_TASK = 4;

  private final TaskStore tasks;
  private final QueueStore queues;
  private final Int2ObjectHashMap<Tickets> byQueue = new Int2ObjectHashMap<>();
  private long questions;

  /** What a queue that nobody asks about costs. */
  private boolean isUsed;

  ReadyRanks(QueueStore queues, TaskStore tasks) {
    this.queues = queues;
    this.tasks = tasks;
  }

  boolean isUsed() {
    return isUsed;
  }

  /** Follows a task that became ready as the youngest of a queue. */
  void added(int queue, int task) {
    Tickets tickets = changing(queue);
    if (tickets != null && tickets.isComplete() && !tickets.append(tasks.position(task))) {
      drop(queue);
    }
  }

  /**
   * Follows a task that is about to be removed.
   *
   * @param last the last position of the ready array, whose task moves to that of the removed one
   */
  void removing(int queue, int task, int last) {
    Tickets tickets = changing(queue);
    if (tickets != null) {
      if (tickets.cursor == task) {
        tickets.cursor = tasks.next(task);
      }
      tickets.remove(tasks.position(task), last);
    }
  }

  /** What follows a change of a queue; null if nobody asks about it any more. */
  private Tickets changing(int queue) {
    Tickets tickets = byQueue.get(queue);
    if (tickets == null) {
      return null;
    }
    tickets.changes++;
    long most = IDLE_CHANGES + (long) IDLE_CHANGES_PER_TASK * queues.readyCount(queue);
    if (tickets.changes > most) {
      drop(queue);
      return null;
    }
    return tickets;
  }

  /**
   * Continues to get ready for {@link #rank}.
   *
   * @param oldest the ready task that became ready first, or {@link Slab#NONE}
   * @param most how many tasks to number now
   * @return how many were; all are if fewer than {@code most}
   */
  int prepare(int queue, int oldest, int most) {
    Tickets tickets = byQueue.get(queue);
    if (tickets == null) {
      tickets = open(queue, oldest);
    }
    tickets.changes = 0;
    tickets.lastAsked = ++questions;
    int count = 0;
    for (; count < most && !tickets.isComplete(); count++) {
      int task = tickets.cursor;
      if (!tickets.append(tasks.position(task))) {
        // Many of the numbered ones have left meanwhile.
        drop(queue);
        tickets = open(queue, oldest);
      } else {
        tickets.cursor = tasks.next(task);
      }
    }
    return count;
  }

  private Tickets open(int queue, int oldest) {
    if (byQueue.size() >= QUEUES_MAX) {
      dropLeastAsked();
    }
    Tickets tickets = new Tickets(oldest);
    byQueue.put(queue, tickets);
    isUsed = true;
    return tickets;
  }

  private void dropLeastAsked() {
    int least = Slab.NONE;
    long asked = Long.MAX_VALUE;
    for (var each = byQueue.entrySet().iterator(); each.hasNext(); ) {
      each.next();
      Tickets tickets = each.getValue();
      // One that is being built has a question waiting for it.
      if (tickets.isComplete() && tickets.lastAsked < asked) {
        asked = tickets.lastAsked;
        least = each.getIntKey();
      }
    }
    if (least != Slab.NONE) {
      drop(least);
    }
  }

  private void drop(int queue) {
    byQueue.remove(queue).close();
    isUsed = !byQueue.isEmpty();
  }

  /** How many ready tasks became ready before one; after {@link #prepare} was done. */
  int rank(int queue, int task) {
    return byQueue.get(queue).rank(tasks.position(task));
  }

  /** Number of queues whose ranks are known. */
  public int size() {
    return byQueue.size();
  }

  /** Bytes of memory held outside the heap. */
  public long memoryBytes() {
    long bytes = 0;
    if (isUsed) {
      for (Tickets tickets : byQueue.values()) {
        bytes += tickets.memoryBytes();
      }
    }
    return bytes;
  }

  /** Frees all memory. */
  public void close() {
    byQueue.values().forEach(Tickets::close);
    byQueue.clear();
    isUsed = false;
  }
}
