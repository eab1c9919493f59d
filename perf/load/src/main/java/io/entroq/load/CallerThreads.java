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

/** All callers and their threads. Used by one thread, unless said otherwise. */
final class CallerThreads {
  /** A caller calls nothing deep; thousands of larger stacks would be felt. */
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
   * Starts the threads, which open their sessions and then wait for {@link #begin}.
   *
   * @throws LoadException if the system does not give so many
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
            "The system gives no more than %,d threads; ask for fewer with --callers."
                .formatted(threads.size()),
            e);
      }
      threads.add(thread);
    }
  }

  /**
   * Lets all callers begin, once all have opened their sessions.
   *
   * @throws LoadException if that takes too long
   */
  void begin() {
    try {
      if (!ready.await(OPEN_SECONDS_MAX, TimeUnit.SECONDS)) {
        interrupt();
        throw new LoadException("Callers have waited a minute to open their sessions.");
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

  /** Asks all callers to leave whatever they wait for. */
  void interrupt() {
    threads.forEach(Thread::interrupt);
  }

  /** Lets all callers end after the cycle they are at. Any thread. */
  void cutShort() {
    schedule.cutShort(clock.nanoTime());
    threads.forEach(LockSupport::unpark);
  }

  /** Waits a while for all callers to end; says whether they have. */
  boolean awaitEnd(long ns) {
    try {
      return busy.await(ns, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Whoever interrupts wants this to end, and that it does.
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

  /** After a failure nobody needs to wait for the others. */
  private void letBegin() {
    while (ready.getCount() > 0) {
      ready.countDown();
    }
  }

  private static String describe(Caller caller, Throwable thrown) {
    String why = thrown instanceof EntroQException ? thrown.getMessage() : thrown.toString();
    return "A call failed (%s): %s".formatted(caller.step(), why);
  }

  /** What they have done. */
  Totals totals() {
    return callers.stream()
        .map(caller -> caller.counters().totals())
        .reduce(Totals.NONE, Totals::plus);
  }

  /** Why the first caller failed that did, for people. */
  Optional<String> failure() {
    return Optional.ofNullable(failure.get());
  }

  /** What those wait for who have not ended, for people. */
  String waiting() {
    return IntStream.range(0, callers.size())
        .filter(i -> threads.get(i).isAlive())
        .mapToObj(callers::get)
        .collect(Collectors.groupingBy(Caller::step, Collectors.counting()))
        .toString();
  }
}
