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
 * Claims tasks, has them handled, and commits what comes of it, until it is closed.
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
 * <p>What it takes care of:
 *
 * <ul>
 *   <li>While a handler runs, its lease is renewed at half of its length, together with those of
 *       all other workers of the same EntroQ in one call. The commit names the newest version.
 *   <li>A lease that is lost cancels its handler: the thread is interrupted. What the handler did
 *       is not committed, and the worker goes on.
 *   <li>A handler that throws, whatever it be, fails the task, and the worker goes on. A failed
 *       task is put off by a growing delay, its attempt goes up by one, and the reason is added to
 *       its {@code err}. After {@code maxAttempts} failures it is quarantined: moved to the error
 *       queue.
 *   <li>A task whose value cannot be decoded, and one that was claimed more than {@code maxClaims}
 *       times and has neither been done nor failed, is quarantined before the handler sees it. Such
 *       are tasks that processes die of, and also those that were moved or released as often.
 *   <li>A commit that does not fit the state for reasons other than the task itself counts as a
 *       failure of the task.
 *   <li>When the queue is not available or refuses because of load, requests are tried again with
 *       growing pauses. Only the close of the EntroQ itself ends a worker.
 *   <li>So is a commit, be it a move into quarantine, for which there is no room, as in a queue
 *       that has all the tasks it may have. Meanwhile the worker keeps its task under lease and
 *       claims no other: whoever produces more than others take waits for them. It counts neither
 *       as a failure of the task nor of the handler, whose work is not repeated. A worker that
 *       fills a queue which only itself would empty waits until somebody else makes room.
 * </ul>
 *
 * <p>May be used from any thread. Close it before the EntroQ.
 */
public final class Worker implements AutoCloseable {
  /** How long a cancelled handler may take to return before close goes on without it. */
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

  /** Begins to say what a worker on this EntroQ does; its values are not decoded unless said so. */
  public static WorkerBuilder<Value> on(EntroQ queue) {
    return new WorkerBuilder<>(queue, ValueCodec.raw());
  }

  /** What it has done so far. */
  public WorkerMetrics metrics() {
    return counters.snapshot();
  }

  /** Whether it works: not closed, and the EntroQ neither. */
  public boolean isRunning() {
    lock.lock();
    try {
      return running > 0 && !closing.isStopping();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until every thread has ended: after a close, or because the EntroQ is closed. */
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

  /** {@link #close(Duration)} with the configured time. */
  @Override
  public void close() {
    close(config.drainTimeout());
  }

  /**
   * Claims no more, lets the running handlers end and commits what they return. Those that go on
   * after the given time are interrupted and their tasks given back; a handler that does not heed
   * the interrupt for another 5 seconds is left alone, and its lease runs out. An interrupt of the
   * caller counts as the end of that time. Closing again waits again.
   *
   * @param timeout zero or more
   * @return whether every handler ended within the given time
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
    // The grace is short and holds for an interrupted caller too.
    boolean interrupted = Thread.interrupted();
    if (!awaitEnd(CANCEL_GRACE)) {
      loops.forEach(WorkerLoop::abandon);
      release();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts every thread, or none that goes on. */
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

  /** Claims no more, without waiting for anything. */
  void stopClaiming() {
    closing.stop();
    signal();
    loops.forEach(WorkerLoop::cancelClaim);
  }

  /** Waits for that long, or until nothing more is to be claimed. */
  void pauseUnlessStopping(Duration duration) {
    pause(duration, closing::isStopping);
  }

  /** Waits for that long, or until nothing is to be waited for any more. */
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
      // Only handlers are interrupted on purpose: a stray interrupt ends the pause and no more.
    } finally {
      lock.unlock();
    }
  }

  /** One of the threads is about to end. */
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
