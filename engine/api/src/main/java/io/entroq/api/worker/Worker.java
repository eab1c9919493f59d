package io.entroq.api.worker;

import io.entroq.api.EntroQ;
import io.entroq.api.Value;
import io.entroq.api.codec.ValueCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Claims tasks, runs a handler for each, and commits the outcome, until it is closed.
 *
 * <pre>{@code
 * Worker worker =
 *     Worker.on(queue)
 *         .from("inbox")
 *         .values(ValueCodec.text())
 *         .concurrency(4)
 *         .maxAttempts(5)
 *         .start(work -> {
 *           String result = compute(work.value());
 *           return Outcome.done(Modification.insert("outbox", result));
 *         });
 * }</pre>
 *
 * <p>What it does:
 *
 * <ul>
 *   <li><b>Renewal.</b> While a handler runs, its lease is renewed after two thirds of the time
 *       that was granted. All workers of an EntroQ share one renewal call. The commit names the
 *       newest version.
 *   <li><b>Docs.</b> Doc sets that a handler {@linkplain WorkContext#claimDocs claims} are held
 *       with its task: renewed with it, and released by its commit.
 *   <li><b>Lost leases.</b> If a lease is lost, its handler is interrupted and its outcome is not
 *       committed. The worker goes on.
 *   <li><b>Retries.</b> If a handler throws anything, the task has failed. It is retried after a
 *       growing delay, its attempt goes up by one, and the reason is appended to its {@code err}.
 *       After {@code maxAttempts} failures, by default 20, it is quarantined, that is, moved to the
 *       error queue. Where the queue has a {@linkplain io.entroq.api.QueuePolicy policy} with a
 *       retry, the policy decides how long the task rests, and may limit the attempts further.
 *   <li><b>Run time.</b> A handler that runs longer than {@code maxRuntime}, if that is set, is
 *       interrupted, and the task has failed.
 *   <li><b>Poison tasks.</b> A task is quarantined without being handled if its value cannot be
 *       decoded, or if it was claimed more than {@code maxClaims} times in a row without an
 *       outcome. The latter catches tasks that kill their process.
 *   <li><b>Failed commits.</b> A commit that does not match the state, for reasons other than the
 *       task itself, counts as a failure of the task.
 *   <li><b>Unavailability.</b> While the queue is unavailable or overloaded, requests are retried
 *       with growing pauses. Only closing the EntroQ ends a worker.
 *   <li><b>Back-pressure.</b> A commit for which there is no room, for example because a queue is
 *       full, is retried likewise. Meanwhile the worker keeps its task under lease and claims no
 *       other. This is not a failure, and the handler is not run again. A worker that fills a queue
 *       that only it empties waits until somebody else makes room.
 * </ul>
 *
 * <p>Thread-safe. Close it before the EntroQ.
 */
public final class Worker implements AutoCloseable {
  /**
   * What a queue with a time of its own offers to its workers, as an {@linkplain EntroQ#extension
   * extension}. Any thread.
   */
  public interface Host {
    /** Its time. Always the same object. */
    Ticker ticker();

    /** A worker is about to claim from these queues. */
    void onStart(List<String> queues);
  }

  /** How long close waits for a cancelled handler to return. */
  private static final Duration CANCEL_GRACE = Duration.ofSeconds(5);

  private final WorkerConfig<?> config;
  private final WorkerCounters counters = new WorkerCounters();
  private final Closing closing = new Closing();
  private final List<WorkerLoop<?>> loops = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicBoolean released = new AtomicBoolean();
  private int running;

  <T> Worker(WorkerConfig<T> config) {
    this.config = config;
    Renewer renewer = Renewers.acquire(config.queue(), config.ticker());
    for (int i = 0; i < config.concurrency(); i++) {
      loops.add(
          new WorkerLoop<>(
              this, config, new WorkerSteps<>(config.rules(), counters, closing), renewer));
    }
    running = loops.size();
  }

  /** Starts to configure a worker on this EntroQ. By default it does not decode values. */
  public static WorkerBuilder<Value> on(EntroQ queue) {
    return new WorkerBuilder<>(queue, ValueCodec.raw());
  }

  /** How many tasks it handles at once, at most. */
  public int concurrency() {
    return config.concurrency();
  }

  /** Counts since the start. */
  public WorkerMetrics metrics() {
    return counters.snapshot();
  }

  /** Whether it is working: neither it nor the EntroQ is closed. */
  public boolean isRunning() {
    lock.lock();
    try {
      return running > 0 && !closing.isStopping();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all threads have ended, after a close of the worker or the EntroQ. */
  public void join() throws InterruptedException {
    lock.lock();
    try {
      while (running > 0) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** {@link #close(Duration)} with the configured drain timeout. */
  @Override
  public void close() {
    close(config.drainTimeout());
  }

  /**
   * Stops claiming, waits for running handlers and commits their outcomes. Handlers still running
   * after the timeout are interrupted and their tasks released. A handler that ignores the
   * interrupt for another 5 seconds is abandoned, and its lease runs out. An interrupt of the
   * caller ends the timeout early. Closing again waits again.
   *
   * @param timeout zero or more
   * @return whether all handlers ended within the timeout
   */
  public boolean close(Duration timeout) {
    stopClaiming();
    boolean drained = awaitEnd(timeout);
    if (!drained) {
      cancelHandlers();
    }
    return drained;
  }

  private void cancelHandlers() {
    closing.abandon();
    signal();
    loops.forEach(WorkerLoop::cancelHandler);
    // The grace period is short and applies to an interrupted caller too.
    boolean interrupted = Thread.interrupted();
    if (!awaitEnd(CANCEL_GRACE)) {
      loops.forEach(WorkerLoop::abandon);
      release();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts all threads; if one cannot be started, stops the others. */
  void start() {
    int started = 0;
    try {
      for (WorkerLoop<?> loop : loops) {
        config.threads().newThread(loop).start();
        started++;
      }
    } finally {
      if (started < loops.size()) {
        stopClaiming();
        for (int i = started; i < loops.size(); i++) {
          loopEnded();
        }
      }
    }
  }

  Closing closing() {
    return closing;
  }

  /** Stops claiming, without waiting. */
  void stopClaiming() {
    closing.stop();
    signal();
    loops.forEach(WorkerLoop::cancelClaim);
  }

  /** Waits for the duration, or until the worker stops claiming. */
  void pauseUnlessStopping(Duration duration) {
    pause(duration, closing::isStopping);
  }

  /** Waits for the duration, or until the worker abandons its handlers. */
  void pauseUnlessAbandoning(Duration duration) {
    pause(duration, closing::isAbandoning);
  }

  private void pause(Duration duration, BooleanSupplier end) {
    long endNanos = config.ticker().nanoTime() + duration.toNanos();
    lock.lock();
    try {
      while (!end.getAsBoolean()) {
        long left = endNanos - config.ticker().nanoTime();
        if (left <= 0) {
          return;
        }
        changed.awaitNanos(config.ticker().pauseNanos(left));
      }
    } catch (InterruptedException e) {
      // Only handlers are interrupted on purpose: a stray interrupt just ends the pause.
    } finally {
      lock.unlock();
    }
  }

  /** Called by each thread at its end. */
  void loopEnded() {
    lock.lock();
    try {
      running--;
      changed.signalAll();
      if (running > 0) {
        return;
      }
    } finally {
      lock.unlock();
    }
    release();
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitEnd(Duration timeout) {
    int expected = loops.stream().anyMatch(WorkerLoop::isOnThisThread) ? 1 : 0;
    long endNanos = System.nanoTime() + saturatedNanos(timeout);
    lock.lock();
    try {
      while (running > expected) {
        long left = endNanos - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        changed.awaitNanos(left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private static long saturatedNanos(Duration duration) {
    return duration.compareTo(Duration.ofDays(365)) > 0
        ? Duration.ofDays(365).toNanos()
        : duration.toNanos();
  }

  private void release() {
    if (released.compareAndSet(false, true)) {
      Renewers.release(config.queue(), config.ticker());
    }
  }
}
