package io.entroq.service.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Registers meters that read their values when they are scraped. They are NaN while the statistics
 * are missing.
 *
 * @param <F> the statistics
 */
final class Meters<F> {
  static final double NS_PER_SECOND = 1e9;
  static final double MS_PER_SECOND = 1e3;

  private final MeterRegistry registry;
  private final Supplier<F> stats;

  /**
   * @param stats supplies null while they are missing; keep a reference, as meters hold it weakly
   */
  Meters(MeterRegistry registry, Supplier<F> stats) {
    this.registry = registry;
    this.stats = stats;
  }

  /**
   * @param tags names and values of labels, alternating
   */
  void gauge(String name, String description, ToDoubleFunction<F> value, String... tags) {
    Gauge.builder(name, stats, f -> read(f, value))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  /**
   * @param tags names and values of labels, alternating
   */
  void counter(String name, String description, ToDoubleFunction<F> value, String... tags) {
    FunctionCounter.builder(name, stats, f -> read(f, value))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  /**
   * A counter of calls and the sum of their durations.
   *
   * @param totalNs nanoseconds
   */
  void timer(
      String name, String description, ToLongFunction<F> count, ToDoubleFunction<F> totalNs) {
    FunctionTimer.builder(
            name,
            stats,
            f -> (long) read(f, count::applyAsLong),
            f -> read(f, totalNs),
            TimeUnit.NANOSECONDS)
        .description(description)
        .register(registry);
  }

  private static <F> double read(Supplier<F> stats, ToDoubleFunction<F> value) {
    F now = stats.get();
    return now == null ? Double.NaN : value.applyAsDouble(now);
  }
}
