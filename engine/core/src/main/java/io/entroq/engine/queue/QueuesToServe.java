package io.entroq.engine.queue;

import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;

/** Queues with a parked claim in which a task has become available, in order of that event. */
public final class QueuesToServe {

  private final QueueStore queues;
  private final WatchIndex watch;
  private int head = Slab.NONE;
  private int tail = Slab.NONE;

  public QueuesToServe(QueueStore queues, WatchIndex watch) {
    this.queues = queues;
    this.watch = watch;
  }

  public boolean isEmpty() {
    return head == Slab.NONE;
  }

  public int head() {
    return head;
  }

  /** Restores the list from an image, whose queues are already marked and linked. */
  public void restore(int first, int last) {
    head = first;
    tail = last;
  }

  /** Adds a queue unless it is listed already. Pools have an order of their own. */
  public void add(int queue) {
    if (queues.isToServe(queue)) {
      return;
    }
    if (queues.isPooled(queue)) {
      watch.update(queue);
      return;
    }
    queues.isToServe(queue, true);
    queues.nextToServe(queue, Slab.NONE);
    if (tail == Slab.NONE) {
      head = queue;
    } else {
      queues.nextToServe(tail, queue);
    }
    tail = queue;
    Invariant.check(head != Slab.NONE, "a list with a tail has a head", queue, head);
    watch.update(queue);
  }

  /** Removes the first queue, which has been served. */
  public void removeHead() {
    int queue = head;
    Invariant.check(
        queue != Slab.NONE && queues.isToServe(queue), "a listed queue is marked so", queue, tail);
    head = queues.nextToServe(queue);
    if (head == Slab.NONE) {
      Invariant.check(tail == queue, "the last queue is the tail", queue, tail);
      tail = Slab.NONE;
    }
    queues.isToServe(queue, false);
    watch.update(queue);
    queues.removeIfUnused(queue);
  }
}
