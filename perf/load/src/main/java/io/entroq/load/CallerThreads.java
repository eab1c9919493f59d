package io.entroq.load;

import io.entroq.api.EntroQException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

  private final LoadClock clock;
  private final RunSchedule schedule;
  private final List<Caller> callers;
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch begin = new CountDownLatch(1);
  private final CountDownLatch busy;
  private final AtomicReference<String> failure = new AtomicReference<>();

  CallerThreads(LoadClock clock, RunSchedule schedule, List<Caller> callers) {
    this.clock = clock;
    this.schedule = schedule;
    this.callers = List.copyOf(callers);
    this.busy = new CountDownLatch(callers.size());
  }

  /**
   * Makes the threads, which do not begin yet.
   *
   * @throws LoadException if the system does not give so many
   */
  void gather() {
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

  /** Lets all callers begin. */
  void begin() {
    schedule.begin(clock.nanoTime());
    begin.countDown();
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

  private void work(Caller caller) {
    try {
      begin.await();
      caller.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, describe(caller, e));
      cutShort();
    } finally {
      busy.countDown();
    }
  }

  private static String describe(Caller caller, Throwable thrown) {
    String why = thrown instanceof EntroQException ? thrown.getMessage() : thrown.toString();
    return "A call failed (%s): %s".formatted(name(caller), why);
  }

  private static String name(Caller caller) {
    return caller.present().name().toLowerCase(Locale.ROOT);
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
        .collect(Collectors.groupingBy(CallerThreads::name, Collectors.counting()))
        .toString();
  }
}
