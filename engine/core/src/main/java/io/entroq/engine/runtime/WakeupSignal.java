package io.entroq.engine.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets one thread sleep until others have work for it, without losing a call.
 *
 * <p>The sleeper arms the bell, looks for work once more, and sleeps only if there is none; a
 * caller makes its work visible and then rings. Each side writes before it reads what the other
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
  public void ring() {
    // Queues publish with release order only, which a later load may overtake.
    VarHandle.fullFence();
    if (armed && ARMED.compareAndSet(this, true, false)) {
      LockSupport.unpark(sleeper);
    }
  }

  /** Rings, and leaves word that there is work which only the sleeper can look for; any thread. */
  public void call() {
    isCalled = true;
    ring();
  }

  /** Whether there has been a {@link #call}; the sleeper, when armed or about to look for it. */
  public boolean isCalled() {
    return isCalled;
  }

  /** The sleeper is about to look for whatever it was called for. */
  public void answerCalls() {
    isCalled = false;
  }

  /** Announces sleep; the sleeper looks for work after this and before {@link #sleep}. */
  public void arm() {
    sleeper = Thread.currentThread();
    armed = true;
    VarHandle.fullFence();
  }

  /** Whether the sleeper sleeps, or is about to look for work a last time. */
  public boolean isArmed() {
    return armed;
  }

  /** There was work after all. */
  public void disarm() {
    armed = false;
  }

  /**
   * Sleeps until rung or until {@code nanos} have passed; may return early.
   *
   * @param nanos {@link Long#MAX_VALUE}: until rung
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
