package io.entroq.engine.embedded;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * How a blocking caller waits for its slot: a short yield, because most replies come within
 * microseconds and a park costs tens of them, then a park.
 *
 * <p>Only a few callers yield at a time; more would take the processor from the engine's thread.
 */
final class CallerWait {
  private static final long YIELD_NS = TimeUnit.MICROSECONDS.toNanos(50);

  private final AtomicInteger yielding = new AtomicInteger();
  private final int yieldingMax;

  CallerWait(int processors) {
    yieldingMax = Math.max(0, Math.min(4, processors - 1));
  }

  /** Blocks until the slot is done; an interrupt ends the wait with the flag cleared. */
  void await(RequestSlot slot) throws InterruptedException {
    if (!slot.isDone() && !yieldFor(slot)) {
      park(slot);
    }
  }

  private boolean yieldFor(RequestSlot slot) {
    try {
      if (yielding.incrementAndGet() > yieldingMax) {
        return false;
      }
      long end = System.nanoTime() + YIELD_NS;
      while (!slot.isDone()) {
        if (System.nanoTime() - end >= 0) {
          return false;
        }
        relax();
      }
      return true;
    } finally {
      yielding.decrementAndGet();
    }
  }

  private static void park(RequestSlot slot) throws InterruptedException {
    slot.waitAs(Thread.currentThread());
    while (!slot.isDone()) {
      LockSupport.park(slot);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // a hint that correctness does not depend on
  private static void relax() {
    Thread.yield();
  }
}
