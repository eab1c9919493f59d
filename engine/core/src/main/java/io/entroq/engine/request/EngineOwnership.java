package io.entroq.engine.request;

import io.entroq.engine.runtime.WakeupSignal;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Decides which thread does the engine's work: the engine's own thread or, while that sleeps, a
 * borrowed thread with requests. So a request from an event loop is executed on that loop, and no
 * thread has to be woken for the request or its reply.
 *
 * <p>The engine's thread owns the engine while it is awake. Before it sleeps it announces that,
 * gives up ownership, and looks for requests a last time. A borrowed thread adds its request first
 * and then checks for an owner. So one of them sees the other, as with the {@link WakeupSignal}. A
 * borrowed thread that finds another borrowed thread as owner can rely on it, too: the owner looks
 * for requests once more after it has given up ownership.
 */
public final class EngineOwnership {
  private final ReentrantLock lock = new ReentrantLock();

  /** Per engine, since a server may lend a thread to several engines. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<BorrowedThread> lent = new ThreadLocal<>();

  private final SlotQueue requests;
  private volatile boolean areThreadsLent;
  private volatile boolean haveOthersAsked;

  /** The owner if it is not the engine's thread; written by the owner. */
  private volatile BorrowedThread guest;

  /**
   * @param requests to be executed
   */
  public EngineOwnership(SlotQueue requests) {
    this.requests = requests;
  }

  /**
   * Lends the calling thread to the engine until the thread ends.
   *
   * @param later runs tasks on that thread, soon
   * @param work what the thread does as the owner
   * @param replies takes over completed requests when the thread ends
   */
  public void lend(Executor later, Runnable work, SlotQueue replies) {
    lent.set(new BorrowedThread(Thread.currentThread(), later, this, work, replies));
    areThreadsLent = true;
  }

  /** The calling thread if it is borrowed, else null. */
  public BorrowedThread caller() {
    return areThreadsLent ? lent.get() : null;
  }

  /** The calling thread has added a request: makes sure that some thread executes it. */
  public void call(RequestSlot slot) {
    // A thread that blocks for the reply cannot execute the request later.
    BorrowedThread caller = slot.isFromGateway ? lent.get() : null;
    if (caller == null) {
      if (!haveOthersAsked) {
        haveOthersAsked = true;
      }
      requests.wakeup().signal();
    } else {
      callWith(caller);
    }
  }

  private void callWith(BorrowedThread caller) {
    VarHandle.fullFence();
    if (requests.wakeup().isArmed() && !caller.schedule()) {
      requests.wakeup().signal();
    }
  }

  /** The engine's thread becomes the owner; waits for a borrowed thread that is at work. */
  public void take() {
    lock.lock();
  }

  /** The engine's thread gives up ownership before it sleeps. */
  public void leave() {
    lock.unlock();
    VarHandle.fullFence();
  }

  /** A borrowed thread becomes the owner, unless there is one. */
  public boolean take(BorrowedThread thread) {
    if (!lock.tryLock()) {
      return false;
    }
    if (guest != null) {
      // The thread has locked twice: unlock once here, so that its first leave frees the engine.
      lock.unlock();
      throw new IllegalStateException("the engine has an owner already");
    }
    guest = thread;
    return true;
  }

  /** A borrowed thread gives up ownership. */
  public void leave(BorrowedThread thread) {
    if (guest != thread) {
      throw new IllegalStateException("a thread leaves an engine that it does not own");
    }
    guest = null;
    lock.unlock();
    callIfAny(thread);
  }

  private void callIfAny(BorrowedThread thread) {
    VarHandle.fullFence();
    if (!requests.isEmpty()) {
      callWith(thread);
    }
  }

  /** The borrowed thread that is the owner, if it is the calling one; else null. */
  BorrowedThread here() {
    BorrowedThread owner = guest;
    return owner != null && owner.isCurrent() ? owner : null;
  }

  /**
   * Has the calling thread run a task once it has completed all ready requests.
   *
   * @return false if it is not a borrowed thread that is completing requests
   */
  public boolean afterReplies(Runnable task) {
    BorrowedThread caller = lent.get();
    return caller != null && caller.afterReplies(task);
  }

  /**
   * Whether polling for more requests before sleeping pays off. It does not if all recent requests
   * came from borrowed threads, which execute their own. Resets what it has seen.
   */
  public boolean isWorthWaiting() {
    if (!areThreadsLent) {
      return true;
    }
    boolean hadOthers = haveOthersAsked;
    haveOthersAsked = false;
    return hadOthers;
  }
}
