package io.entroq.console.screen;

import io.entroq.console.web.PageException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The threads on which screens wait for the service, up to 16. They only wait: pages are rendered
 * elsewhere. Pages that take long have 4 of them at most, so that others do not wait for those. Any
 * thread.
 */
final class ScreenPool implements AutoCloseable {
  private static final int THREADS = 16;
  private static final int WAITING_MAX = 256;
  private static final int SLOW_MAX = 4;
  private static final int IDLE_S = 10;
  private static final int UNAVAILABLE = 503;

  private final ThreadPoolExecutor threads;
  private final Semaphore slow = new Semaphore(SLOW_MAX);
  private final Semaphore past = new Semaphore(SLOW_MAX);

  ScreenPool() {
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_S,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            work -> {
              Thread thread = new Thread(work, "entroq-console-screen");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs work that may block.
   *
   * @throws PageException if too much is waiting
   */
  <T> CompletableFuture<T> run(Supplier<T> work) {
    try {
      return CompletableFuture.supplyAsync(work, threads);
    } catch (RejectedExecutionException e) {
      throw new PageException(
          UNAVAILABLE,
          "Too many pages are asked for at once, at most %d wait. Load it again."
              .formatted(WAITING_MAX));
    }
  }

  /**
   * Runs work that may take long.
   *
   * @throws PageException if too much of that is running or waiting
   */
  <T> CompletableFuture<T> runSlow(Supplier<T> work) {
    return run(slow, work);
  }

  /**
   * Runs work that may wait for a state of the past. It does not take the places of other slow
   * work, such as what an operator counts before a redrive.
   *
   * @throws PageException if too much of that is running or waiting
   */
  <T> CompletableFuture<T> runPast(Supplier<T> work) {
    return run(past, work);
  }

  private <T> CompletableFuture<T> run(Semaphore places, Supplier<T> work) {
    if (!places.tryAcquire()) {
      throw new PageException(
          UNAVAILABLE,
          "%d pages that take long are being read now, and no more at once. Load it again in some"
                  .formatted(SLOW_MAX)
              + " seconds.");
    }
    try {
      return run(work).whenComplete((result, failure) -> places.release());
    } catch (PageException e) {
      places.release();
      throw e;
    }
  }

  /** Ends what is running, and drops what has not begun. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
