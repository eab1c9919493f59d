package io.entroq.load;

import io.entroq.api.EntroQException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** All callers and their threads. For one thread, unless noted. */
final class CallerThreads {
  /** Callers need little stack; thousands of larger stacks would cost memory. */
  private static final long STACK_BYTES = 256 << 10;

  private static final long OPEN_SECONDS_MAX = 60;

  private final LoadClock clock;
  private final RunSchedule schedule;
  private final List<Caller> callers;
  private final List<Thread> threads = new ArrayList<>();
  private final Drain drain;
  private final CountDownLatch ready;
  private final CountDownLatch begin = new CountDownLatch(1);
  private final CountDownLatch busy;
  private final AtomicReference<String> failure = new AtomicReference<>();

  CallerThreads(LoadClock clock, RunSchedule schedule, Drain drain, List<Caller> callers) {
    this.clock = clock;
    this.schedule = schedule;
    this.drain = drain;
    this.callers = List.copyOf(callers);
    this.ready = new CountDownLatch(callers.size());
    this.busy = new CountDownLatch(callers.size());
  }

  /**
   * Starts the threads, which open their sessions and wait for {@link #begin}.
   *
   * @throws LoadException if the system refuses so many threads
   */
  void start() {
    for (Caller caller : callers) {
      String name = "caller-" + threads.size();
      Thread thread = new Thread(null, () -> work(caller), name, STACK_BYTES);
      thread.setDaemon(true);
      try {
        thread.start();
      } catch (OutOfMemoryError e) {
        throw new LoadException(
            "The system allows only %,d threads; use fewer with --callers."
                .formatted(threads.size()),
            e);
      }
      threads.add(thread);
    }
  }

  /**
   * Starts all callers, once all have opened their sessions.
   *
   * @throws LoadException if that takes too long
   */
  void begin() {
    try {
      if (!ready.await(OPEN_SECONDS_MAX, TimeUnit.SECONDS)) {
        interrupt();
        throw new LoadException("Callers could not open their sessions within a minute.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    schedule.begin(clock.nanoTime());
    if (failure.get() != null || Thread.currentThread().isInterrupted()) {
      cutShort();
    }
    begin.countDown();
  }

  void interrupt() {
    threads.forEach(Thread::interrupt);
  }

  /** Ends all callers after their current cycle. Any thread. */
  void cutShort() {
    schedule.cutShort(clock.nanoTime());
    threads.forEach(LockSupport::unpark);
  }

  /** Waits for all callers to end; returns whether they have. */
  boolean awaitEnd(long ns) {
    try {
      return busy.await(ns, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      cutShort();
      Thread.currentThread().interrupt();
      return busy.getCount() == 0;
    }
  }

  @SuppressWarnings("try") // closing may wait for others, and be interrupted
  private void work(Caller caller) {
    try (LoadSession session = caller.open()) {
      ready.countDown();
      begin.await();
      caller.run(session);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception | Error e) {
      failure.compareAndSet(null, describe(caller, e));
      drain.abandon();
      cutShort();
      letBegin();
    } finally {
      busy.countDown();
    }
  }

  /** Does not wait for the other callers after a failure. */
  private void letBegin() {
    while (ready.getCount() > 0) {
      ready.countDown();
    }
  }

  private static String describe(Caller caller, Throwable thrown) {
    String why = thrown instanceof EntroQException ? thrown.getMessage() : thrown.toString();
    return "A call failed (%s): %s".formatted(caller.step(), why);
  }

  Totals totals() {
    return callers.stream()
        .map(caller -> caller.counters().totals())
        .reduce(Totals.NONE, Totals::plus);
  }

  /** The first failure, for users. */
  Optional<String> failure() {
    return Optional.ofNullable(failure.get());
  }

  /** The steps of the callers that have not ended, for users. */
  String waiting() {
    return IntStream.range(0, callers.size())
        .filter(i -> threads.get(i).isAlive())
        .mapToObj(callers::get)
        .collect(Collectors.groupingBy(Caller::step, Collectors.counting()))
        .toString();
  }
}
