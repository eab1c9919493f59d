package io.entroq.engine.embedded;

/**
 * The thread that completes futures, and so runs whatever users have chained to them without an
 * executor of their own.
 */
final class ReplyThread {
  private static final long END_TIMEOUT_MS = 5_000;

  private final SlotQueue replies;
  private final Thread thread;
  private volatile boolean isStopping;

  ReplyThread(int slotsMax) {
    replies = new SlotQueue(slotsMax, ReplyThread::reply);
    thread = new Thread(this::run, "entroq-replies");
    thread.setDaemon(true);
  }

  ReplyThread start() {
    thread.start();
    return this;
  }

  /** Takes slots that are done and have a {@link RequestSlot.Completion}. */
  SlotQueue replies() {
    return replies;
  }

  /** Ends the thread once everything added so far has been replied to; does not wait for it. */
  void stop() {
    isStopping = true;
    replies.bell().ring();
  }

  /** Whether the caller runs on this thread. */
  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /**
   * Waits until the thread has ended, unless it is the caller; not for ever, as it may be held by
   * what a user has chained to a future.
   */
  void awaitEnd() throws InterruptedException {
    if (!isCurrent()) {
      thread.join(END_TIMEOUT_MS);
    }
  }

  private void run() {
    while (true) {
      RequestSlot slot = replies.poll();
      if (slot != null) {
        reply(slot);
      } else if (isStopping) {
        replies.end();
        return;
      } else {
        sleep();
      }
    }
  }

  private void sleep() {
    Doorbell bell = replies.bell();
    bell.arm();
    if (replies.isEmpty() && !isStopping) {
      bell.sleep(Long.MAX_VALUE);
    } else {
      bell.disarm();
    }
  }

  private static void reply(RequestSlot slot) {
    slot.completion.onComplete(slot);
  }
}
