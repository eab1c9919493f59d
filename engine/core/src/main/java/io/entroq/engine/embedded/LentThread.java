package io.entroq.engine.embedded;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * A thread of somebody else's that does the engine's work when it has requests and the engine's own
 * thread sleeps; then it tells of the answers itself. All of it on that thread.
 */
final class LentThread implements Runnable {
  private final Thread thread;
  private final Executor later;
  private final EngineSeat seat;
  private final EngineWork work;
  private final ArrayDeque<RequestSlot> answered = new ArrayDeque<>();
  private final ArrayDeque<Runnable> after = new ArrayDeque<>();
  private boolean isScheduled;
  private boolean isTelling;

  /**
   * @param later runs on the thread what it is given
   */
  LentThread(Thread thread, Executor later, EngineSeat seat, EngineWork work) {
    this.thread = thread;
    this.later = later;
    this.seat = seat;
    this.work = work;
  }

  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /**
   * Sees to the requests when the thread is through with what it does now.
   *
   * @return false if it will not, as it is about to end
   */
  boolean schedule() {
    if (!isScheduled) {
      try {
        later.execute(this);
        isScheduled = true;
      } catch (RejectedExecutionException e) {
        return false;
      }
    }
    return true;
  }

  /**
   * Does something once all answers have been told of.
   *
   * @return false if none are being told of
   */
  boolean afterReplies(Runnable task) {
    return isTelling && after.add(task);
  }

  /** Takes a slot that is done and is to be told of. */
  void add(RequestSlot slot) {
    answered.add(slot);
  }

  @Override
  public void run() {
    isScheduled = false;
    if (!seat.take(this)) {
      return;
    }
    try {
      work.doAsGuest();
    } finally {
      seat.leave(this);
    }
    // Whoever hears of an answer may submit more, and may take a while: not while sitting there.
    isTelling = true;
    for (RequestSlot slot = answered.poll(); slot != null; slot = answered.poll()) {
      attempt(slot);
    }
    isTelling = false;
    for (Runnable task = after.poll(); task != null; task = after.poll()) {
      attempt(task);
    }
  }

  private static void attempt(Runnable task) {
    try {
      task.run();
    } catch (Throwable t) {
      ReplyThread.unexpected(t);
    }
  }

  private static void attempt(RequestSlot slot) {
    try {
      slot.completion.onComplete(slot);
    } catch (Throwable t) {
      ReplyThread.unexpected(t);
    }
  }
}
