package io.entroq.opentelemetry;

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
    operated = duration(meter, "messaging.client.operation.duration", "How long requests took");
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

  void sent(String queue) {
    record(() -> sent.add(1, TaskAttributes.of(TaskAttributes.SEND, queue)));
  }

  /**
   * A request to insert.
   *
   * @param queue empty if there are several or none
   * @param error what went wrong; empty for nothing
   */
  void requested(String queue, String error, long tookNs) {
    record(
        () -> operated.record(tookNs / SECOND_NS, attributes(TaskAttributes.SEND, queue, error)));
  }

  /**
   * @param error what went wrong; empty for nothing
   */
  void processed(String queue, String error, long tookNs) {
    record(
        () -> {
          Attributes attributes = attributes(TaskAttributes.PROCESS, queue, error);
          consumed.add(1, attributes);
          processed.record(tookNs / SECOND_NS, attributes);
        });
  }

  /** What fails here must not replace what came of a request or handler. */
  private static void record(Runnable measurement) {
    try {
      measurement.run();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a measurement is not recorded", e);
    }
  }

  private static Attributes attributes(String operation, String queue, String error) {
    Attributes attributes = TaskAttributes.of(operation, queue);
    return error.isEmpty()
        ? attributes
        : attributes.toBuilder().put(TaskAttributes.ERROR, error).build();
  }
}
