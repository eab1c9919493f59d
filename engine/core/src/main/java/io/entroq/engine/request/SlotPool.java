package io.entroq.engine.request;

import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;

/**
 * Unused slots; any thread. Keeps as many as were in use at once, and their buffers at the size to
 * which they have grown, up to a limit.
 */
public final class SlotPool {
  private static final long EXTRA_BYTES_MAX = 16L << 20;

  private final ManyToManyConcurrentArrayQueue<RequestSlot> free;
  private final AtomicLong extraBytes = new AtomicLong();

  public SlotPool(int slotsKept) {
    free = new ManyToManyConcurrentArrayQueue<>(Math.max(2, slotsKept));
  }

  public RequestSlot acquire(RequestKind kind, boolean waits) {
    RequestSlot slot = free.poll();
    if (slot == null) {
      slot = new RequestSlot();
    } else {
      giveUp(slot.extraBytes());
    }
    if (slot.isAbandoned()) {
      throw new IllegalStateException("a slot that its caller gave up is in the pool");
    }
    slot.reset(kind, waits);
    return slot;
  }

  public void release(RequestSlot slot) {
    if (slot.isAbandoned()) {
      // The engine may still have it.
      throw new IllegalStateException("a slot that its caller gave up was released");
    }
    slot.clear();
    int extra = slot.extraBytes();
    if (extra > 0 && extraBytes.addAndGet(extra) > EXTRA_BYTES_MAX) {
      extraBytes.addAndGet(-extra);
      slot.trim();
      extra = 0;
    }
    if (!free.offer(slot)) {
      // The pool is full; the slot becomes garbage.
      giveUp(extra);
    }
  }

  private void giveUp(int extra) {
    if (extra > 0) {
      extraBytes.addAndGet(-extra);
    }
  }
}
