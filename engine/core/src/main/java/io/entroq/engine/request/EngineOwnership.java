package io.entroq.engine.request;

import io.entroq.engine.runtime.WakeupSignal;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whoever sits on it does the engine's work, and nobody else does: the engine's own thread, or,
 * while that sleeps, a thread that is lent and has requests itself. So a request of an event loop
 * is answered on that loop, without a thread being woken for it, and without one being woken for
 * the answer.
 *
 * <p>The engine's thread keeps the seat as long as it is awake. It announces its sleep, leaves the
 * seat, and then looks for requests a last time; a lent thread adds its request first and then
 * looks who sits. So one of them sees the other, as with the {@link WakeupSignal}. A lent thread
 * that has found the seat taken by another one may rely on it as well: that one looks for requests
 * once more after it has left.
 */
public final class EngineOwnership {
  private final ReentrantLock seat = new ReentrantLock();

  /** Of this engine: a thread may be lent to several. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<BorrowedThread> lent = new ThreadLocal<>();

  private final SlotQueue requests;
  private volatile boolean areThreadsLent;
  private volatile boolean haveOthersAsked;

  /** Who sits on it, if it is not the engine's thread; written by whoever sits on it. */
  private volatile BorrowedThread guest;

  /**
   * @param requests what is to be done
   */
  public EngineOwnership(SlotQueue requests) {
    this.requests = requests;
  }

  /**
   * Lends the calling thread, until it ends.
   *
   * @param later runs on that thread what it is given, soon
   * @param work what the thread does when it has become the owner
   * @param replies takes what the thread is not told of any more, as it ends
   */
  public void lend(Executor later, Runnable work, SlotQueue replies) {
    lent.set(new BorrowedThread(Thread.currentThread(), later, this, work, replies));
    areThreadsLent = true;
  }

  /** The calling thread if it is a lent one, else null. */
  public BorrowedThread caller() {
    return areThreadsLent ? lent.get() : null;
  }

  /** A request has been added by the calling thread: somebody has to come. */
  public void call(RequestSlot slot) {
    // Who blocks until it is done cannot do it himself later.
    BorrowedThread caller = slot.isOfGateway ? lent.get() : null;
    if (caller == null) {
      if (!haveOthersAsked) {
        haveOthersAsked = true;
      }
      requests.bell().ring();
    } else {
      callWith(caller);
    }
  }

  private void callWith(BorrowedThread caller) {
    VarHandle.fullFence();
    if (requests.bell().isArmed() && !caller.schedule()) {
      requests.bell().ring();
    }
  }

  /** The engine's thread sits down; it waits for a lent one that is at work. */
  public void take() {
    seat.lock();
  }

  /** The engine's thread is about to sleep, and has said so. */
  public void leave() {
    seat.unlock();
    VarHandle.fullFence();
  }

  /** A lent thread sits down, unless somebody sits there. */
  public boolean take(BorrowedThread thread) {
    if (!seat.tryLock()) {
      return false;
    }
    if (guest != null) {
      // Taken twice by one thread: given back once here, so that its first leave frees the engine.
      seat.unlock();
      throw new IllegalStateException("the engine has an owner already");
    }
    guest = thread;
    return true;
  }

  /** A lent thread leaves. */
  public void leave(BorrowedThread thread) {
    if (guest != thread) {
      throw new IllegalStateException("a thread leaves an engine that it does not own");
    }
    guest = null;
    seat.unlock();
    callIfAny(thread);
  }

  private void callIfAny(BorrowedThread thread) {
    VarHandle.fullFence();
    if (!requests.isEmpty()) {
      callWith(thread);
    }
  }

  /** The lent thread that sits there if it is the calling one, else null. */
  BorrowedThread here() {
    BorrowedThread sitting = guest;
    return sitting != null && sitting.isCurrent() ? sitting : null;
  }

  /**
   * Has the calling thread do something once it has told of all answers.
   *
   * @return false if it is not a lent one that tells of answers
   */
  public boolean afterReplies(Runnable task) {
    BorrowedThread caller = lent.get();
    return caller != null && caller.afterReplies(task);
  }

  /**
   * Whether it pays to look for more requests before sleeping: there are none but from lent
   * threads, which see to theirs themselves. Forgets what it was asked for.
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
