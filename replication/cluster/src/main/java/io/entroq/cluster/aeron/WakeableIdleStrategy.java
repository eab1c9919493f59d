package io.entroq.cluster.aeron;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Waits for work: yields a few times, then sleeps for longer and longer until another thread wakes
 * it. A thread that is about to fall asleep may miss the wake-up and then sleeps for the full time.
 *
 * <p>All methods except {@link #wake} are for the waiting thread.
 */
public final class WakeableIdleStrategy implements IdleStrategy {
  private static final int YIELDS = 20;
  private static final long SLEEP_NS_MIN = TimeUnit.MICROSECONDS.toNanos(1);
  private static final long SHORT_SLEEP_NS_MAX = TimeUnit.MICROSECONDS.toNanos(50);
  private static final long SLEEP_NS_MAX = TimeUnit.MILLISECONDS.toNanos(1);

  private final BooleanSupplier pollsOften;
  private final long sleepNsMax;
  private Runnable onWork = () -> {};
  private int yields;
  private long sleepNs = SLEEP_NS_MIN;
  private volatile Thread sleeper;

  /**
   * @param pollsOften whether to sleep only briefly now, because not all work wakes the thread
   */
  WakeableIdleStrategy(BooleanSupplier pollsOften) {
    this(pollsOften, SLEEP_NS_MAX);
  }

  /**
   * @param sleepNsMax how long it sleeps at most
   */
  WakeableIdleStrategy(BooleanSupplier pollsOften, long sleepNsMax) {
    this.pollsOften = pollsOften;
    this.sleepNsMax = sleepNsMax;
  }

  /** Sets an action to run after each duty cycle that did work. Called before the thread starts. */
  void onWork(Runnable action) {
    onWork = action;
  }

  @Override
  public void idle(int workCount) {
    if (workCount > 0) {
      reset();
      onWork.run();
    } else {
      idle();
    }
  }

  @Override
  public void idle() {
    if (yields < YIELDS) {
      yields++;
      yieldThread();
      return;
    }
    sleeper = Thread.currentThread();
    LockSupport.parkNanos(this, sleepNs);
    sleeper = null;
    sleepNs = Math.min(2 * sleepNs, pollsOften.getAsBoolean() ? SHORT_SLEEP_NS_MAX : sleepNsMax);
  }

  @SuppressWarnings("ThreadPriorityCheck") // a hint that correctness does not depend on
  private static void yieldThread() {
    Thread.yield();
  }

  @Override
  public void reset() {
    yields = 0;
    sleepNs = SLEEP_NS_MIN;
  }

  /** Wakes the thread if it sleeps. Any thread. */
  void wake() {
    Thread sleeping = sleeper;
    if (sleeping != null) {
      sleeper = null;
      LockSupport.unpark(sleeping);
    }
  }
}
