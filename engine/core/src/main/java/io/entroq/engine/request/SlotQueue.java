package io.entroq.engine.request;

import io.entroq.engine.runtime.WakeupSignal;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * Hands slots from many threads to the one that works on them.
 *
 * <p>Once that thread has ended, whoever still adds a slot sees to its end himself, so that none is
 * left behind.
 */
public final class SlotQueue {
  private final ManyToOneConcurrentArrayQueue<RequestSlot> queue;
  private final WakeupSignal bell = new WakeupSignal();
  private final ReentrantLock leftoverLock = new ReentrantLock();
  private final Consumer<RequestSlot> leftover;
  private volatile boolean isEnded;

  /**
   * @param capacity at least as many slots as can be outstanding, since adding never waits
   * @param leftover gets the slots that the taking thread will not take any more
   */
  public SlotQueue(int capacity, Consumer<RequestSlot> leftover) {
    this.queue = new ManyToOneConcurrentArrayQueue<>(capacity);
    this.leftover = leftover;
  }

  /** Adds a slot and wakes the taking thread; any thread. */
  public void add(RequestSlot slot) {
    put(slot);
    bell.ring();
  }

  /** Adds a slot; any thread, which sees to it that somebody comes for it. */
  public void put(RequestSlot slot) {
    if (!queue.offer(slot)) {
      throw new IllegalStateException(
          "hand-over queue is full at " + queue.capacity() + " slots; its bounds do not hold");
    }
    // A load, which must not overtake the slot's becoming visible.
    VarHandle.fullFence();
    if (isEnded) {
      endLeftovers();
    }
  }

  /** The taking thread. */
  public RequestSlot poll() {
    return queue.poll();
  }

  public boolean isEmpty() {
    return queue.isEmpty();
  }

  public WakeupSignal bell() {
    return bell;
  }

  /** The taking thread, as its last look at the queue. */
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
