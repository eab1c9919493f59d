package io.entroq.spring;

import io.entroq.jdbc.OutboxLag;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Metrics of outboxes. What only the database knows is NaN while that is away. */
final class OutboxMeters implements MeterBinder {
  private static final String OUTBOX = "entroq.outbox";

  private final OutboxMonitor monitor;

  OutboxMeters(OutboxMonitor monitor) {
    this.monitor = monitor;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    monitor.states().forEach(state -> bind(registry, state));
  }

  private static void bind(MeterRegistry registry, OutboxMonitor.State outbox) {
    Gauge.builder("entroq.outbox.waiting", outbox, of(OutboxLag::waiting))
        .description("Tasks in the outbox that are not in the queue yet.")
        .tag(OUTBOX, outbox.name())
        .register(registry);
    TimeGauge.builder(
            "entroq.outbox.oldest",
            outbox,
            TimeUnit.MILLISECONDS,
            of(lag -> lag.oldest().toMillis()))
        .description("For how long the oldest of them has waited.")
        .tag(OUTBOX, outbox.name())
        .register(registry);
    Gauge.builder("entroq.outbox.set.aside", outbox, of(OutboxLag::setAside))
        .description("Tasks in the outbox that were refused and wait for somebody.")
        .tag(OUTBOX, outbox.name())
        .register(registry);
    FunctionCounter.builder("entroq.outbox.relayed", outbox, OutboxMonitor.State::relayed)
        .description("Tasks that this instance has brought from the outbox to the queue.")
        .tag(OUTBOX, outbox.name())
        .register(registry);
  }

  private static ToDoubleFunction<OutboxMonitor.State> of(ToDoubleFunction<OutboxLag> figure) {
    return outbox -> outbox.lag().map(figure::applyAsDouble).orElse(Double.NaN);
  }
}
