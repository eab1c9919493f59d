package io.entroq.spring;

import io.entroq.api.worker.Handler;
import io.entroq.api.worker.OutcomeException;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.WorkerMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Counts and times what listeners do. The time of handlers has the name and tags of OpenTelemetry's
 * conventions for messaging.
 */
final class ListenerMeters implements HandlerDecorator {
  private static final String LISTENER = "entroq.listener";
  private static final String NO_ERROR = "none";

  private static final Map<String, ToLongFunction<WorkerMetrics>> OUTCOMES =
      Map.of(
          "done", WorkerMetrics::done,
          "retried", WorkerMetrics::retried,
          "moved", WorkerMetrics::moved,
          "quarantined", WorkerMetrics::quarantined,
          "released", WorkerMetrics::released,
          "lost", WorkerMetrics::lost,
          "unknown", WorkerMetrics::unknown);

  private final MeterRegistry registry;

  ListenerMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Handler<Object> decorate(RunningListener listener, Handler<Object> handler) {
    register(listener);
    ListenerDefinition definition = listener.definition();
    return work -> {
      Timer.Sample sample = Timer.start(registry);
      String error = NO_ERROR;
      try {
        return handler.handle(work);
      } catch (OutcomeException e) {
        throw e;
      } catch (Throwable e) {
        error = e.getClass().getName();
        throw e;
      } finally {
        sample.stop(timer(definition, work, error));
      }
    };
  }

  private Timer timer(ListenerDefinition listener, WorkContext<Object> work, String error) {
    return Timer.builder("messaging.process.duration")
        .description("Time that listeners take for a task.")
        .tag("messaging.system", "entroq")
        .tag("messaging.operation.name", "process")
        .tag("messaging.destination.name", listener.queueOf(work.task().queue()))
        .tag("error.type", error)
        .tag(LISTENER, listener.name())
        .register(registry);
  }

  private void register(RunningListener listener) {
    Tags tags = Tags.of(LISTENER, listener.definition().name());
    OUTCOMES.forEach(
        (outcome, count) ->
            FunctionCounter.builder(
                    "entroq.listener.tasks",
                    listener,
                    counted -> count.applyAsLong(counted.metrics()))
                .description("Tasks that listeners have handled, by what became of them.")
                .tags(tags.and("outcome", outcome))
                .register(registry));
    FunctionCounter.builder(
            "entroq.listener.failures", listener, counted -> counted.metrics().handlerFailures())
        .description("Listeners that threw, and values that could not be decoded.")
        .tags(tags)
        .register(registry);
    Gauge.builder("entroq.listener.running", listener, counted -> counted.metrics().running())
        .description("Tasks that listeners handle now.")
        .tags(tags)
        .register(registry);
  }
}
