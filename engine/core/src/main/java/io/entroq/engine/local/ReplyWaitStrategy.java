package io.entroq.engine.local;

import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.runtime.AdaptiveYield;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * How a blocking caller waits for its slot: it yields, again and again, and parks if that takes too
 * long, or if it is a claim for which there is no task yet.
 *
 * <p>To park and to be woken costs both sides several times what most requests take. Yielding gives
 * the processor to whoever has work, the engine's thread among them, and whoever yields finds its
 * reply when its turn comes. So all callers yield, or none does: where some do, they stand in the
 * way of those that have been woken. None does when replies wait for a slow disk, or turns are
 * long; and of very many callers the first do, or their turns would come too seldom.
 *
 * <p>Any thread.
 */
public final class ReplyWaitStrategy {
  /** A thread that waits this long for a processor or a reply may as well be woken. */
  private static final long YIELD_NS = TimeUnit.MILLISECONDS.toNanos(1);

  /** For a force that takes longer it is worth to park. */
  private static final long FORCE_NS_MAX = TimeUnit.MICROSECONDS.toNanos(500);

  private static final int YIELDING_MAX = 256;

  private final ReplyGate gate;
  private final AdaptiveYield yields;
  private final AtomicInteger yielding = new AtomicInteger();

  /**
   * @param gate what holds replies back
   */
  public ReplyWaitStrategy(ReplyGate gate, AdaptiveYield yields) {
    this.gate = gate;
    this.yields = yields;
  }

  /** Blocks until the slot is done; an interrupt ends the wait with the flag cleared. */
  void await(RequestSlot slot) throws InterruptedException {
    if (!slot.isDone() && (isYieldingVain() || !yieldFor(slot))) {
      park(slot);
    }
  }

  private boolean isYieldingVain() {
    return !yields.areShort() || gate.delayNs() > FORCE_NS_MAX;
  }

  /** Whether the slot is done. */
  private boolean yieldFor(RequestSlot slot) {
    try {
      if (yielding.incrementAndGet() > YIELDING_MAX) {
        return false;
      }
      long startNs = System.nanoTime();
      while (!slot.isDone()) {
        if (slot.isParked || !yields.areShort() || System.nanoTime() - startNs >= YIELD_NS) {
          return false;
        }
        yields.pass();
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
}
