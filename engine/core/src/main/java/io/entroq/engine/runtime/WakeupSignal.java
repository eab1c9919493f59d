package io.entroq.engine.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets one thread sleep until others have work for it, without a lost wake-up.
 *
 * <p>The sleeper arms the signal, looks for work once more, and sleeps only if there is none; a
 * caller makes its work visible and then signals. Each side writes before it reads what the other
 * wrote, with a full fence in between, so at least one of them sees the other.
 */
public final class WakeupSignal {
  private static final VarHandle ARMED;

  static {
    try {
      ARMED = MethodHandles.lookup().findVarHandle(WakeupSignal.class, "armed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile boolean armed;
  private volatile boolean isCalled;
  private volatile Thread sleeper;

  /** Wakes the sleeper if it sleeps or is about to; any thread, after its work is visible. */
  public void signal() {
    // Queues publish with release order only, which a later load may overtake.
    VarHandle.fullFence();
    if (armed && ARMED.compareAndSet(this, true, false)) {
      LockSupport.unpark(sleeper);
    }
  }

  /** Signals, and notes that there is work which only the sleeper can find; any thread. */
  public void call() {
    isCalled = true;
    signal();
  }

  /** Whether {@link #call} was used since {@link #answerCalls}; for the sleeper. */
  public boolean isCalled() {
    return isCalled;
  }

  /** The sleeper is about to look for the work it was called for. */
  public void answerCalls() {
    isCalled = false;
  }

  /** Announces sleep; the sleeper looks for work after this and before {@link #sleep}. */
  public void arm() {
    sleeper = Thread.currentThread();
    armed = true;
    VarHandle.fullFence();
  }

  /** Whether the sleeper sleeps or is about to check for work a last time. */
  public boolean isArmed() {
    return armed;
  }

  /** There was work after all. */
  public void disarm() {
    armed = false;
  }

  /**
   * Sleeps until signaled or for that many nanoseconds; may return early.
   *
   * @param nanos {@link Long#MAX_VALUE}: until signaled
   */
  public void sleep(long nanos) {
    if (armed) {
      if (nanos == Long.MAX_VALUE) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, nanos);
      }
    }
    armed = false;
    // The sleepers are threads of the engine, which nothing interrupts on purpose; a flag left set
    // would turn every sleep into a spin.
    Thread.interrupted();
  }
}
