package io.entroq.engine.embedded;

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
 * looks who sits. So one of them sees the other, as with the {@link Doorbell}. A lent thread that
 * has found the seat taken by another one may rely on it as well: that one looks for requests once
 * more after it has left.
 */
final class EngineSeat {
  private final ReentrantLock seat = new ReentrantLock();

  /** Of this engine: a thread may be lent to several. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<LentThread> lent = new ThreadLocal<>();

  private final SlotQueue requests;
  private volatile boolean areThreadsLent;
  private volatile boolean haveOthersAsked;

  /** Who sits on it, if it is not the engine's thread; written by whoever sits on it. */
  private volatile LentThread guest;

  /**
   * @param requests what is to be done
   */
  EngineSeat(SlotQueue requests) {
    this.requests = requests;
  }

  /**
   * Lends the calling thread, until it ends.
   *
   * @param later runs on that thread what it is given, soon
   * @param replies takes what the thread is not told of any more, as it ends
   */
  void lend(Executor later, EngineWork work, SlotQueue replies) {
    lent.set(new LentThread(Thread.currentThread(), later, this, work, replies));
    areThreadsLent = true;
  }

  /** The calling thread if it is a lent one, else null. */
  LentThread caller() {
    return areThreadsLent ? lent.get() : null;
  }

  /** A request has been added by the calling thread: somebody has to come. */
  void call(RequestSlot slot) {
    // Who blocks until it is done cannot do it himself later.
    LentThread caller = slot.isOfGateway ? lent.get() : null;
    if (caller == null) {
      if (!haveOthersAsked) {
        haveOthersAsked = true;
      }
      requests.bell().ring();
    } else {
      callWith(caller);
    }
  }

  private void callWith(LentThread caller) {
    VarHandle.fullFence();
    if (requests.bell().isArmed() && !caller.schedule()) {
      requests.bell().ring();
    }
  }

  /** The engine's thread sits down; it waits for a lent one that is at work. */
  void take() {
    seat.lock();
  }

  /** The engine's thread is about to sleep, and has said so. */
  void leave() {
    seat.unlock();
    VarHandle.fullFence();
  }

  /** A lent thread sits down, unless somebody sits there. */
  boolean take(LentThread thread) {
    if (!seat.tryLock()) {
      return false;
    }
    guest = thread;
    return true;
  }

  /** A lent thread leaves. */
  void leave(LentThread thread) {
    guest = null;
    seat.unlock();
    callIfAny(thread);
  }

  private void callIfAny(LentThread thread) {
    VarHandle.fullFence();
    if (!requests.isEmpty()) {
      callWith(thread);
    }
  }

  /** The lent thread that sits there if it is the calling one, else null. */
  LentThread here() {
    LentThread sitting = guest;
    return sitting != null && sitting.isCurrent() ? sitting : null;
  }

  /**
   * Has the calling thread do something once it has told of all answers.
   *
   * @return false if it is not a lent one that tells of answers
   */
  boolean afterReplies(Runnable task) {
    LentThread caller = lent.get();
    return caller != null && caller.afterReplies(task);
  }

  /**
   * Whether it pays to look for more requests before sleeping: there are none but from lent
   * threads, which see to theirs themselves. Forgets what it was asked for.
   */
  boolean isWorthWaiting() {
    if (!areThreadsLent) {
      return true;
    }
    boolean hadOthers = haveOthersAsked;
    haveOthersAsked = false;
    return hadOthers;
  }
}
