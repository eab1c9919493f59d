package io.entroq.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The metrics, by queue. */
final class TaskMeters {
  private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

  /** As OpenTelemetry's conventions advise. */
  private static final List<Double> BOUNDS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);

  private final LongCounter sent;
  private final LongCounter consumed;
  private final DoubleHistogram processed;

  TaskMeters(Meter meter) {
    sent = counter(meter, "messaging.client.sent.messages", "Tasks inserted");
    consumed = counter(meter, "messaging.client.consumed.messages", "Tasks given to a handler");
    processed =
        meter
            .histogramBuilder("messaging.process.duration")
            .setUnit("s")
            .setDescription("How long handlers ran")
            .setExplicitBucketBoundariesAdvice(BOUNDS)
            .build();
  }

  private static LongCounter counter(Meter meter, String name, String description) {
    return meter.counterBuilder(name).setUnit("{message}").setDescription(description).build();
  }

  void sent(String queue) {
    sent.add(1, TaskAttributes.of(TaskAttributes.SEND, queue));
  }

  /**
   * @param error what went wrong; empty for nothing
   */
  void processed(String queue, String error, long tookNs) {
    Attributes attributes = TaskAttributes.of(TaskAttributes.PROCESS, queue);
    if (!error.isEmpty()) {
      attributes = attributes.toBuilder().put(TaskAttributes.ERROR, error).build();
    }
    consumed.add(1, attributes);
    processed.record(tookNs / SECOND_NS, attributes);
  }
}
