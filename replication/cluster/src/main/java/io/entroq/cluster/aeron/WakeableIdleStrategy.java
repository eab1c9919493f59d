package io.entroq.cluster.aeron;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * How a part of a member waits for work: it yields for a while, then sleeps for longer and longer,
 * until it is woken by whoever has work for it. A wake-up may be missed by one who is about to
 * sleep: then he sleeps as long as he meant to.
 *
 * <p>All but {@link #wake} by the one thread of the part.
 */
public final class WakeableIdleStrategy implements IdleStrategy {
  private static final int YIELDS = 20;
  private static final long SLEEP_NS_MIN = TimeUnit.MICROSECONDS.toNanos(1);
  private static final long SHORT_SLEEP_NS_MAX = TimeUnit.MICROSECONDS.toNanos(50);
  private static final long SLEEP_NS_MAX = TimeUnit.MILLISECONDS.toNanos(1);

  private final BooleanSupplier looksOften;
  private Runnable worked = () -> {};
  private int yields;
  private long sleepNs = SLEEP_NS_MIN;
  private volatile Thread sleeper;

  /**
   * @param looksOften whether it is to sleep but shortly now, as not all work wakes it
   */
  WakeableIdleStrategy(BooleanSupplier looksOften) {
    this.looksOften = looksOften;
  }

  /** Sets what happens whenever the part has done something; before it begins. */
  void onWork(Runnable action) {
    worked = action;
  }

  @Override
  public void idle(int workCount) {
    if (workCount > 0) {
      reset();
      worked.run();
    } else {
      idle();
    }
  }

  @Override
  public void idle() {
    if (yields < YIELDS) {
      yields++;
      pass();
      return;
    }
    sleeper = Thread.currentThread();
    LockSupport.parkNanos(this, sleepNs);
    sleeper = null;
    sleepNs = Math.min(2 * sleepNs, looksOften.getAsBoolean() ? SHORT_SLEEP_NS_MAX : SLEEP_NS_MAX);
  }

  @SuppressWarnings("ThreadPriorityCheck") // a hint that correctness does not depend on
  private static void pass() {
    Thread.yield();
  }

  @Override
  public void reset() {
    yields = 0;
    sleepNs = SLEEP_NS_MIN;
  }

  /** There is work; any thread. */
  void wake() {
    Thread asleep = sleeper;
    if (asleep != null) {
      sleeper = null;
      LockSupport.unpark(asleep);
    }
  }
}
