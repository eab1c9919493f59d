package io.entroq.console.web;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that render pages: two, since a console must not take processors from its queue. Any
 * thread.
 */
public final class PagePool implements Executor, AutoCloseable {
  private static final int THREADS = 2;

  private final ExecutorService threads;

  /** Starts no thread before there is work. */
  public PagePool() {
    AtomicInteger number = new AtomicInteger();
    threads =
        Executors.newFixedThreadPool(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "entroq-console-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Runs work soon.
   *
   * @throws RejectedExecutionException after {@link #close}
   */
  @Override
  public void execute(Runnable work) {
    threads.execute(work);
  }

  /** Drops what has not begun. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
