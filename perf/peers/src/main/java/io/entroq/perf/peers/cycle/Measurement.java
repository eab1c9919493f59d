package io.entroq.perf.peers.cycle;

import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.peer.TaskQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** Has callers put tasks through their cycle for some time, and checks what became of each task. */
public final class Measurement {
  /** What opening sessions and a step that is under way at the end may take. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final double NS_PER_US = 1e3;
  private static final double NS_PER_SECOND = 1e9;
  private static final AtomicLong NUMBERS = new AtomicLong(System.nanoTime());

  private final Shape shape;
  private final Timing timing;

  /** Prepares one. */
  public Measurement(Shape shape, Timing timing) {
    this.shape = shape;
    this.timing = timing;
  }

  /**
   * Runs it.
   *
   * @throws TimeoutException if callers hang; they are interrupted
   * @throws IllegalStateException if no task went through in the time that counts
   * @throws Exception what the first caller that failed has thrown
   */
  public Measured run(TaskQueue queue) throws Exception {
    Window window = new Window(timing, shape.callers());
    List<Ledger> ledgers = new ArrayList<>();
    List<Caller> callers = new ArrayList<>();
    long number = NUMBERS.incrementAndGet();
    for (int i = 0; i < shape.callers(); i++) {
      ledgers.add(new Ledger(i));
      callers.add(new Caller(queue, window, shape.batch(), new Payload(number), ledgers.get(i)));
    }
    run(callers, window);
    return measured(callers, Account.of(ledgers));
  }

  private void run(List<Caller> callers, Window window) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool(Measurement::daemon);
    try {
      List<Future<?>> running = new ArrayList<>();
      callers.forEach(caller -> running.add(threads.submit(caller)));
      Future<?> starter =
          threads.submit(
              () -> {
                window.begin();
                return null;
              });
      await(starter, System.nanoTime() + PATIENCE.toNanos(), "opening sessions");
      long byNs =
          System.nanoTime()
              + timing.warmUp().plus(timing.measured()).plus(timing.drain()).toNanos()
              + PATIENCE.toNanos();
      for (Future<?> caller : running) {
        await(caller, byNs, "a caller's step");
      }
    } finally {
      window.giveUp();
      threads.shutdownNow();
    }
  }

  private static void await(Future<?> future, long byNs, String what) throws Exception {
    try {
      future.get(Math.max(1, byNs - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw (Exception) new TimeoutException(what + " hung").initCause(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "caller");
    // One that hangs must not keep the process alive.
    thread.setDaemon(true);
    return thread;
  }

  private Measured measured(List<Caller> callers, Account account) {
    Histogram cycleNs = new Histogram(3);
    callers.forEach(caller -> cycleNs.add(caller.cycleNs()));
    long counted = callers.stream().mapToLong(Caller::counted).sum();
    if (counted == 0 && !timing.measured().isZero()) {
      throw new IllegalStateException(
          "no task went through within %d ms; %s".formatted(timing.measured().toMillis(), account));
    }
    return new Measured(
        counted * NS_PER_SECOND / timing.measured().toNanos(),
        cycleNs.getValueAtPercentile(50) / NS_PER_US,
        cycleNs.getValueAtPercentile(99) / NS_PER_US,
        account);
  }
}
