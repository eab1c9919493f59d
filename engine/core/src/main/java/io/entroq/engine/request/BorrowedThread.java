package io.entroq.engine.request;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A server's thread that does the engine's work while the engine's own thread sleeps, and then
 * completes the requests itself. It also completes its own requests that other threads executed or
 * that waited for a force: their responses are sent over its connections, so it would have to be
 * woken anyway. On that thread, unless a method says otherwise.
 */
final class BorrowedThread implements Runnable {
  private final Thread thread;
  private final Executor later;
  private final EngineOwnership ownership;
  private final Runnable work;
  private final SlotQueue replies;
  private final Queue<RequestSlot> handed = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isCalled = new AtomicBoolean();
  private final ArrayDeque<RequestSlot> answered = new ArrayDeque<>();
  private final ArrayDeque<Runnable> after = new ArrayDeque<>();
  private boolean isScheduled;
  private boolean isCompleting;
  private volatile boolean isEnding;

  /**
   * @param later runs tasks on the thread
   * @param replies takes over completed requests when the thread is about to end
   */
  BorrowedThread(
      Thread thread, Executor later, EngineOwnership ownership, Runnable work, SlotQueue replies) {
    this.thread = thread;
    this.later = later;
    this.ownership = ownership;
    this.work = work;
    this.replies = replies;
  }

  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /**
   * Does the engine's work once the thread has finished its current task.
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
   * Runs a task once all ready requests have been completed.
   *
   * @return false if none are being completed
   */
  boolean afterReplies(Runnable task) {
    return isCompleting && after.add(task);
  }

  /** Adds a slot with its result, to be completed on this thread. */
  void add(RequestSlot slot) {
    answered.add(slot);
  }

  /** Hands over a slot with its result, to be completed on this thread soon; any thread. */
  void hand(RequestSlot slot) {
    handed.add(slot);
    if (isEnding) {
      passOn();
    } else if (isCalled.compareAndSet(false, true)) {
      try {
        later.execute(this::completeHanded);
      } catch (RejectedExecutionException e) {
        // Set before the queue is drained: a thread that adds a slot later passes it on itself.
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

  private void completeHanded() {
    // Before it polls: slots handed over from here on schedule it again.
    isCalled.set(false);
    for (RequestSlot slot = handed.poll(); slot != null; slot = handed.poll()) {
      answered.add(slot);
    }
    completeReady();
  }

  @Override
  public void run() {
    isScheduled = false;
    if (!ownership.take(this)) {
      return;
    }
    try {
      work.run();
    } finally {
      ownership.leave(this);
    }
    completeReady();
  }

  /**
   * Completes requests. Completions may submit more requests and take a while, so the thread does
   * not own the engine here.
   */
  private void completeReady() {
    isCompleting = true;
    for (RequestSlot slot = answered.poll(); slot != null; slot = answered.poll()) {
      attempt(slot);
    }
    isCompleting = false;
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
