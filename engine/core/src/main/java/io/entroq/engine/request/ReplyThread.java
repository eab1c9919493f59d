package io.entroq.engine.request;

import io.entroq.engine.runtime.WakeupSignal;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The thread that completes futures, and so runs whatever users have chained to them without an
 * executor of their own.
 */
public final class ReplyThread {
  private static final long END_TIMEOUT_MS = 5_000;

  /** Replies between two looks at what is to be done after them. */
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

  /** Takes slots that are done and have a {@link RequestSlot.Completion}. */
  public SlotQueue replies() {
    return replies;
  }

  /** Ends the thread once everything added so far has been replied to; does not wait for it. */
  public void stop() {
    isStopping = true;
    replies.bell().ring();
  }

  /** Whether the caller runs on this thread. */
  public boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /**
   * Does something once the replies that are ready have been made, on this thread; at once if it is
   * another one that asks for it. So whoever passes replies on can pass on several together.
   */
  public void afterReplies(Runnable work) {
    if (isCurrent()) {
      after.add(work);
    } else {
      work.run();
    }
  }

  /**
   * Waits until the thread has ended, unless it is the caller; not for ever, as it may be held by
   * what a user has chained to a future.
   */
  public void awaitEnd() throws InterruptedException {
    if (!isCurrent()) {
      thread.join(END_TIMEOUT_MS);
    }
  }

  /**
   * Makes the replies that are ready, on the calling thread, where the one of its own is never
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

  /** Does what is to be done after replies. */
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
    WakeupSignal bell = replies.bell();
    bell.arm();
    if (replies.isEmpty() && !isStopping) {
      bell.sleep(Long.MAX_VALUE);
    } else {
      bell.disarm();
    }
  }

  private static void reply(RequestSlot slot) {
    try {
      slot.completion.onComplete(slot);
    } catch (Throwable t) {
      unexpected(t);
    }
  }

  /** Something has thrown that was not to. All the same there are other replies to make. */
  static void unexpected(Throwable t) {
    Thread current = Thread.currentThread();
    current.getUncaughtExceptionHandler().uncaughtException(current, t);
  }
}
