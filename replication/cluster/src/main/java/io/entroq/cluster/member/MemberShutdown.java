package io.entroq.cluster.member;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The end of a member. It happens once, on a thread of its own, as one of the parts that end may be
 * on the thread of whoever begins it, or stand still for ever; and it keeps nobody for ever who
 * waits for it. Any thread.
 */
final class MemberShutdown {
  private static final Logger LOGGER = System.getLogger(MemberShutdown.class.getName());

  private final String member;
  private final Duration timeout;
  private final AtomicBoolean isBegun = new AtomicBoolean();
  private final CompletableFuture<Throwable> over = new CompletableFuture<>();

  /**
   * Nothing ends yet.
   *
   * @param member which one, for people
   * @param timeout after which the end is given up
   */
  MemberShutdown(String member, Duration timeout) {
    this.member = member;
    this.timeout = timeout;
  }

  boolean isBegun() {
    return isBegun.get();
  }

  /**
   * Completes when it is over, with why it was begun, or null; or with why it could not be done.
   */
  CompletableFuture<Throwable> over() {
    return over.copy();
  }

  /**
   * Begins it. Does nothing if it has begun.
   *
   * @param components ends them; what it throws is only told
   * @param why asked when they have ended
   */
  void begin(AutoCloseable components, Supplier<Throwable> why) {
    if (!isBegun.compareAndSet(false, true)) {
      return;
    }
    Thread ending =
        new Thread(() -> run(components, why), "entroq-end-of-" + member.replace(' ', '-'));
    ending.setDaemon(true);
    ending.start();
    over.copy()
        .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionally(late -> giveUp(ending, why.get()));
  }

  private void run(AutoCloseable components, Supplier<Throwable> why) {
    try {
      components.close();
    } catch (Throwable t) {
      LOGGER.log(Level.WARNING, member + " did not end cleanly", t);
    } finally {
      over.complete(why.get());
    }
  }

  /** Whoever waits, so as to begin anew, is to know that this process has to end first. */
  private Throwable giveUp(Thread ending, Throwable why) {
    MemberException stuck =
        new MemberException(
            "%s has not ended after %d ms. Its directory stays locked until its process has ended"
                .formatted(member, timeout.toMillis()),
            why);
    stuck.setStackTrace(ending.getStackTrace());
    LOGGER.log(Level.ERROR, stuck.getMessage(), stuck);
    over.complete(stuck);
    return stuck;
  }
}
