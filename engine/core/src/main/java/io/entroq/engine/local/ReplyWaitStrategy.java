package io.entroq.engine.local;

import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.runtime.AdaptiveYield;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * How a blocking caller waits for its reply: it yields repeatedly, and parks if that takes too long
 * or if its claim has no task yet.
 *
 * <p>Parking and waking cost both sides several times as much as most requests take. Yielding gives
 * the processor to threads with work, such as the engine's, and a yielding caller finds its reply
 * when it runs again. Either all callers yield or none does, because yielding callers delay those
 * that have been woken. None yields while replies wait for a slow disk or time slices are long. If
 * there are very many callers only the first ones yield, or each would run too rarely.
 *
 * <p>Any thread.
 */
public final class ReplyWaitStrategy {
  /** After waiting this long for a processor or a reply, parking costs little in comparison. */
  private static final long YIELD_NS = TimeUnit.MILLISECONDS.toNanos(1);

  /** If a force takes longer than this, callers park. */
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
