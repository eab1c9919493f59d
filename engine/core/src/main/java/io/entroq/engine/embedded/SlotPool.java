package io.entroq.engine.embedded;

import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;

/** Slots that are not in use; any thread. Grows to what was in use at once, and no further. */
final class SlotPool {
  private final ManyToManyConcurrentArrayQueue<RequestSlot> free;

  SlotPool(int slotsKept) {
    free = new ManyToManyConcurrentArrayQueue<>(Math.max(2, slotsKept));
  }

  RequestSlot acquire(RequestKind kind, boolean waits) {
    RequestSlot slot = free.poll();
    if (slot == null) {
      slot = new RequestSlot();
    }
    slot.reset(kind, waits);
    return slot;
  }

  void release(RequestSlot slot) {
    slot.trim();
    // A pool that is full lets the slot go.
    free.offer(slot);
  }
}
