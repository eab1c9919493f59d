package io.entroq.opentelemetry;

import io.entroq.api.spi.ObservedQueue;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The metrics, by queue. */
final class TaskMeters {
  private static final Logger LOG = System.getLogger(TaskMeters.class.getName());
  private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

  /** As OpenTelemetry's conventions advise. */
  private static final List<Double> BOUNDS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);

  private final LongCounter sent;
  private final LongCounter consumed;
  private final DoubleHistogram operated;
  private final DoubleHistogram processed;

  TaskMeters(Meter meter) {
    sent = counter(meter, "messaging.client.sent.messages", "Tasks inserted");
    consumed = counter(meter, "messaging.client.consumed.messages", "Tasks given to a handler");
    operated =
        duration(
            meter, "messaging.client.operation.duration", "How long claims and modifications took");
    processed = duration(meter, "messaging.process.duration", "How long handlers ran");
  }

  private static LongCounter counter(Meter meter, String name, String description) {
    return meter.counterBuilder(name).setUnit("{message}").setDescription(description).build();
  }

  private static DoubleHistogram duration(Meter meter, String name, String description) {
    return meter
        .histogramBuilder(name)
        .setUnit("s")
        .setDescription(description)
        .setExplicitBucketBoundariesAdvice(BOUNDS)
        .build();
  }

  void requested(ObservedQueue.Request request) {
    String operation = request.operation().word();
    request.sent().forEach(queue -> sent.add(1, TaskAttributes.of(operation, queue)));
    operated.record(
        request.tookNs() / SECOND_NS,
        attributes(operation, request.destination(), request.error()));
  }

  /**
   * @param error what went wrong; empty for nothing
   */
  void processed(String queue, String error, long tookNs) {
    try {
      Attributes attributes = attributes(TaskAttributes.PROCESS, queue, error);
      consumed.add(1, attributes);
      processed.record(tookNs / SECOND_NS, attributes);
    } catch (RuntimeException e) {
      // It must not replace what came of the handler.
      LOG.log(Level.WARNING, "the time of a handler is not recorded", e);
    }
  }

  private static Attributes attributes(String operation, String queue, String error) {
    Attributes attributes = TaskAttributes.of(operation, queue);
    return error.isEmpty()
        ? attributes
        : attributes.toBuilder().put(TaskAttributes.ERROR, error).build();
  }
}
