package io.entroq.service.metrics;

import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/** Counts the calls of one method over one transport, and times them if asked to. */
final class MethodMeter {
  private final AtomicReferenceArray<Counter> byCode =
      new AtomicReferenceArray<>(Status.Code.values().length);
  private final Function<Status.Code, Counter> counters;
  private final Optional<Timer> timer;

  /**
   * For one method.
   *
   * @param counters makes or finds the counter of a code; most codes never occur
   */
  MethodMeter(Function<Status.Code, Counter> counters, Optional<Timer> timer) {
    this.counters = counters;
    this.timer = timer;
  }

  /** A call has ended that started at this {@link System#nanoTime}. */
  void ended(Status.Code code, long beginNs) {
    Counter counter = byCode.get(code.value());
    if (counter == null) {
      counter = counters.apply(code);
      byCode.set(code.value(), counter);
    }
    counter.increment();
    timer.ifPresent(t -> t.record(System.nanoTime() - beginNs, TimeUnit.NANOSECONDS));
  }
}
