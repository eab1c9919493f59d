package io.entroq.engine.request;

import io.entroq.engine.runtime.WakeupSignal;
import java.util.ArrayDeque;
import java.util.Queue;

/** Completes futures, and runs the code that users have chained to them without an executor. */
public final class ReplyThread {
  private static final long END_TIMEOUT_MS = 5_000;

  /** Replies between two runs of deferred work. */
  private static final int BATCH_MAX = 64;

  private final SlotQueue replies;
  private final Thread thread;
  private final Queue<Runnable> after = new ArrayDeque<>();
  private volatile boolean isStopping;

  public ReplyThread(int slotsMax) {
    replies = new SlotQueue(slotsMax, ReplyThread::reply);
    thread = new Thread(this::run, "entroq-replies");
    thread.setDaemon(true);
  }

  public ReplyThread start() {
    thread.start();
    return this;
  }

  /** Slots that are done and have a {@link RequestSlot.Completion}. */
  public SlotQueue replies() {
    return replies;
  }

  /** Ends the thread after the replies that were added so far; does not wait for it. */
  public void stop() {
    isStopping = true;
    replies.wakeup().signal();
  }

  /** Whether the caller runs on this thread. */
  public boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /**
   * Runs work after the replies that are ready, on this thread; at once if called on another
   * thread. Lets servers send several replies together.
   */
  public void afterReplies(Runnable work) {
    if (isCurrent()) {
      after.add(work);
    } else {
      work.run();
    }
  }

  /**
   * Waits until the thread has ended, unless called on it. Gives up after a while, since users'
   * code may block the thread.
   */
  public void awaitEnd() throws InterruptedException {
    if (!isCurrent()) {
      thread.join(END_TIMEOUT_MS);
    }
  }

  /**
   * Completes the replies that are ready, on the calling thread; only if this thread was never
   * started.
   *
   * @return how many
   */
  public int reply() {
    int replied = 0;
    for (RequestSlot slot = replies.poll(); slot != null; slot = replies.poll()) {
      reply(slot);
      replied++;
    }
    return replied;
  }

  private void run() {
    int replied = 0;
    while (true) {
      RequestSlot slot = replied < BATCH_MAX ? replies.poll() : null;
      if (slot != null) {
        reply(slot);
        replied++;
      } else if (replied > 0) {
        replied = 0;
        finish();
      } else if (isStopping) {
        replies.end();
        finish();
        return;
      } else {
        sleep();
      }
    }
  }

  /** Runs deferred work. */
  private void finish() {
    for (Runnable work = after.poll(); work != null; work = after.poll()) {
      try {
        work.run();
      } catch (Throwable t) {
        unexpected(t);
      }
    }
  }

  private void sleep() {
    WakeupSignal wakeup = replies.wakeup();
    wakeup.arm();
    if (replies.isEmpty() && !isStopping) {
      wakeup.sleep(Long.MAX_VALUE);
    } else {
      wakeup.disarm();
    }
  }

  private static void reply(RequestSlot slot) {
    try {
      slot.completion.onComplete(slot);
    } catch (Throwable t) {
      unexpected(t);
    }
  }

  /** A completion must not throw. If one does, the thread continues with the others. */
  static void unexpected(Throwable t) {
    Thread current = Thread.currentThread();
    current.getUncaughtExceptionHandler().uncaughtException(current, t);
  }
}
