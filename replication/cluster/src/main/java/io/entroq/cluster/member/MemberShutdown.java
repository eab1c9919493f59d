package io.entroq.cluster.member;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Ends a member, once. It runs on its own thread, because a component may end on the thread that
 * starts the shutdown, or hang. Waiting for it is bounded. Any thread.
 */
final class MemberShutdown {
  private static final Logger LOGGER = System.getLogger(MemberShutdown.class.getName());

  private final String member;
  private final Duration timeout;
  private final AtomicBoolean isBegun = new AtomicBoolean();
  private final CompletableFuture<Throwable> ended = new CompletableFuture<>();

  /**
   * @param member its name in messages
   * @param timeout after this time, waiting ends
   */
  MemberShutdown(String member, Duration timeout) {
    this.member = member;
    this.timeout = timeout;
  }

  boolean isBegun() {
    return isBegun.get();
  }

  /**
   * Completes at the end with the reason of the shutdown, which may be null, or with the reason why
   * it did not finish.
   */
  CompletableFuture<Throwable> ended() {
    return ended.copy();
  }

  /**
   * Starts the shutdown. Does nothing if it has started.
   *
   * @param components ends them; its exceptions are only logged
   * @param reason read when they have ended
   */
  void begin(AutoCloseable components, Supplier<Throwable> reason) {
    if (!isBegun.compareAndSet(false, true)) {
      return;
    }
    Thread ending =
        new Thread(() -> run(components, reason), "entroq-end-of-" + member.replace(' ', '-'));
    ending.setDaemon(true);
    ending.start();
    ended
        .copy()
        .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionally(late -> giveUp(ending, reason.get()));
  }

  private void run(AutoCloseable components, Supplier<Throwable> reason) {
    try {
      components.close();
    } catch (Throwable t) {
      LOGGER.log(Level.WARNING, member + " did not end cleanly", t);
    } finally {
      ended.complete(reason.get());
    }
  }

  /** Tells waiting callers that the member can only be restarted after this process ends. */
  private Throwable giveUp(Thread ending, Throwable reason) {
    MemberException stuck =
        new MemberException(
            "%s has not ended after %d ms. Its directory stays locked until its process ends"
                .formatted(member, timeout.toMillis()),
            reason);
    stuck.setStackTrace(ending.getStackTrace());
    LOGGER.log(Level.ERROR, stuck.getMessage(), stuck);
    ended.complete(stuck);
    return stuck;
  }
}
