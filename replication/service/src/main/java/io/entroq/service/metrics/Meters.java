package io.entroq.service.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Registers meters that read their figures when they are scraped. They are NaN while the figures
 * are missing.
 *
 * @param <F> the figures
 */
final class Meters<F> {
  static final double NS_PER_SECOND = 1e9;
  static final double MS_PER_SECOND = 1e3;

  private final MeterRegistry registry;
  private final Supplier<F> figures;

  /**
   * @param figures null if they are missing; must be held elsewhere, as meters hold them weakly
   */
  Meters(MeterRegistry registry, Supplier<F> figures) {
    this.registry = registry;
    this.figures = figures;
  }

  /**
   * Registers a gauge.
   *
   * @param tags names and values of labels, alternating
   */
  void gauge(String name, String description, ToDoubleFunction<F> figure, String... tags) {
    Gauge.builder(name, figures, f -> read(f, figure))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  /**
   * Registers a counter.
   *
   * @param tags names and values of labels, alternating
   */
  void counter(String name, String description, ToDoubleFunction<F> figure, String... tags) {
    FunctionCounter.builder(name, figures, f -> read(f, figure))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private static <F> double read(Supplier<F> figures, ToDoubleFunction<F> figure) {
    F now = figures.get();
    return now == null ? Double.NaN : figure.applyAsDouble(now);
  }
}
