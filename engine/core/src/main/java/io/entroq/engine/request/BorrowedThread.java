package io.entroq.engine.request;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A thread of somebody else's that does the engine's work when it has requests and the engine's own
 * thread sleeps; then it tells of the answers itself. It also tells of answers to its requests that
 * others have found, or that waited for a force: they leave over its connections, so that it would
 * be woken for them anyway. All on that thread, unless a method says otherwise.
 */
final class BorrowedThread implements Runnable {
  private final Thread thread;
  private final Executor later;
  private final EngineOwnership seat;
  private final Runnable work;
  private final SlotQueue replies;
  private final Queue<RequestSlot> handed = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isCalled = new AtomicBoolean();
  private final ArrayDeque<RequestSlot> answered = new ArrayDeque<>();
  private final ArrayDeque<Runnable> after = new ArrayDeque<>();
  private boolean isScheduled;
  private boolean isTelling;
  private volatile boolean isEnding;

  /**
   * @param later runs on the thread what it is given
   * @param replies takes what it is handed when it is about to end
   */
  BorrowedThread(
      Thread thread, Executor later, EngineOwnership seat, Runnable work, SlotQueue replies) {
    this.thread = thread;
    this.later = later;
    this.seat = seat;
    this.work = work;
    this.replies = replies;
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

  /** Hands it a slot that is done and is to be told of, soon; any thread. */
  void hand(RequestSlot slot) {
    handed.add(slot);
    if (isEnding) {
      passOn();
    } else if (isCalled.compareAndSet(false, true)) {
      try {
        later.execute(this::tellHanded);
      } catch (RejectedExecutionException e) {
        // Said before the look that counts: whoever adds one meanwhile passes it on himself.
        isEnding = true;
        passOn();
      }
    }
  }

  private void passOn() {
    for (RequestSlot slot = handed.poll(); slot != null; slot = handed.poll()) {
      replies.add(slot);
    }
  }

  private void tellHanded() {
    // Before it looks: for what is handed from here on it is called once more.
    isCalled.set(false);
    for (RequestSlot slot = handed.poll(); slot != null; slot = handed.poll()) {
      answered.add(slot);
    }
    tell();
  }

  @Override
  public void run() {
    isScheduled = false;
    if (!seat.take(this)) {
      return;
    }
    try {
      work.run();
    } finally {
      seat.leave(this);
    }
    tell();
  }

  /** Whoever hears of an answer may submit more, and may take a while: not on the seat. */
  private void tell() {
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
