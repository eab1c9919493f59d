package io.entroq.engine.request;

import io.entroq.engine.runtime.WakeupSignal;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * Passes slots from many threads to the one that executes them.
 *
 * <p>Once that thread has ended, a thread that still adds a slot completes it itself, so that none
 * is lost.
 */
public final class SlotQueue {
  private final ManyToOneConcurrentArrayQueue<RequestSlot> queue;
  private final WakeupSignal wakeup = new WakeupSignal();
  private final ReentrantLock leftoverLock = new ReentrantLock();
  private final Consumer<RequestSlot> leftover;
  private volatile boolean isEnded;

  /**
   * @param capacity at least the number of outstanding slots, since adding never waits
   * @param leftover gets the slots that the consumer no longer takes
   */
  public SlotQueue(int capacity, Consumer<RequestSlot> leftover) {
    this.queue = new ManyToOneConcurrentArrayQueue<>(capacity);
    this.leftover = leftover;
  }

  /** Adds a slot and wakes the consumer; any thread. */
  public void add(RequestSlot slot) {
    put(slot);
    wakeup.signal();
  }

  /** Adds a slot; any thread, which then makes sure that the consumer runs. */
  public void put(RequestSlot slot) {
    if (!queue.offer(slot)) {
      throw new IllegalStateException(
          "hand-over queue is full at "
              + queue.capacity()
              + " slots; the limits on requests should prevent that");
    }
    // Full, so that no later load is reordered before the slot's publication.
    VarHandle.fullFence();
    if (isEnded) {
      endLeftovers();
    }
  }

  /** The consumer. */
  public RequestSlot poll() {
    return queue.poll();
  }

  public boolean isEmpty() {
    return queue.isEmpty();
  }

  public WakeupSignal wakeup() {
    return wakeup;
  }

  /** The consumer, as its last access to the queue. */
  public void end() {
    isEnded = true;
    endLeftovers();
  }

  private void endLeftovers() {
    // The queue has one consumer at a time; with that thread gone the lock decides who.
    leftoverLock.lock();
    try {
      for (RequestSlot slot = queue.poll(); slot != null; slot = queue.poll()) {
        leftover.accept(slot);
      }
    } finally {
      leftoverLock.unlock();
    }
  }
}
