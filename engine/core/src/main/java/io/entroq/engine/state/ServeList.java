package io.entroq.engine.state;

import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.WatchIndex;

/** Queues in which a task has become available while a claim was parked there, first come first. */
final class ServeList {

  private final QueueStore queues;
  private final WatchIndex watch;
  private int head = Slab.NONE;
  private int tail = Slab.NONE;

  ServeList(QueueStore queues, WatchIndex watch) {
    this.queues = queues;
    this.watch = watch;
  }

  boolean isEmpty() {
    return head == Slab.NONE;
  }

  int head() {
    return head;
  }

  /** Restores the list of an image, whose queues are marked and linked already. */
  void restore(int first, int last) {
    head = first;
    tail = last;
  }

  /** Adds a queue, unless it is there already. */
  void add(int queue) {
    if (queues.isToServe(queue)) {
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
    watch.update(queue);
  }

  /** Takes the first queue off, which has been served. */
  void removeHead() {
    int queue = head;
    head = queues.nextToServe(queue);
    if (head == Slab.NONE) {
      tail = Slab.NONE;
    }
    queues.isToServe(queue, false);
    watch.update(queue);
    queues.removeIfUnused(queue);
  }
}
