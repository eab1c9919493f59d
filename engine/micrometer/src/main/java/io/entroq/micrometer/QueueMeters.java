package io.entroq.micrometer;

import io.entroq.api.EntroQ;
import io.entroq.api.spi.ObservedQueue;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Counts and times claims and modifications, with the names and tags of OpenTelemetry's conventions
 * for messaging.
 *
 * <pre>{@code
 * EntroQ measured = QueueMeters.of(registry).on(queue);
 * }</pre>
 *
 * <p>Each queue has meters of its own: it is not for queues without number, such as one for each
 * customer, other than by {@link io.entroq.api.Insert#withKey}. Thread-safe.
 */
public final class QueueMeters implements ObservedQueue.Observer {
  private static final String SYSTEM = "messaging.system";
  private static final String OPERATION = "messaging.operation.name";

  private final MeterRegistry registry;

  private QueueMeters(MeterRegistry registry) {
    this.registry = Objects.requireNonNull(registry, "registry");
  }

  /** Meters in a registry. */
  public static QueueMeters of(MeterRegistry registry) {
    return new QueueMeters(registry);
  }

  /**
   * The same queue, whose claims and modifications are measured if they go through what is
   * returned. One that Micrometer measures already is returned as it is.
   */
  public EntroQ on(EntroQ queue) {
    return queue.extension(QueueMeters.class).isPresent() ? queue : new ObservedQueue(queue, this);
  }

  @Override
  public void onRequest(ObservedQueue.Request request) {
    Tags tags = Tags.of(SYSTEM, "entroq", OPERATION, request.operation().word());
    request.sent().forEach(queue -> sent(tags, queue));
    Timer.builder("messaging.client.operation.duration")
        .description("How long claims and modifications took.")
        .tags(tags)
        .tag(WorkerMeters.DESTINATION, request.destination())
        .tag(
            WorkerMeters.ERROR, request.error().isEmpty() ? WorkerMeters.NO_ERROR : request.error())
        .register(registry)
        .record(request.tookNs(), TimeUnit.NANOSECONDS);
  }

  private void sent(Tags tags, String queue) {
    Counter.builder("messaging.client.sent.messages")
        .description("Tasks inserted.")
        .tags(tags)
        .tag(WorkerMeters.DESTINATION, queue)
        .register(registry)
        .increment();
  }
}
