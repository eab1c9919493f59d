package io.entroq.engine.queue;

import io.entroq.engine.memory.SlotHeap;

/**
 * Queues that are to be looked at in an order that every copy of a state has: by their names, not
 * by their slots. Add no queue twice.
 */
public final class QueuesByName extends SlotHeap {

  private final QueueStore queues;

  public QueuesByName(QueueStore queues) {
    this.queues = queues;
  }

  @Override
  protected boolean before(int a, int b) {
    return queues.isNameBefore(a, b);
  }

  @Override
  protected void moved(int queue, int position) {
    // Nobody asks for it.
  }

  /** Removes the first queue; there is one. */
  public int take() {
    int first = root();
    removeAt(0);
    return first;
  }
}
