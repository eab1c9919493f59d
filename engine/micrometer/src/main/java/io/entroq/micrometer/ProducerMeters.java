package io.entroq.micrometer;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Counts and times requests that insert tasks, with the names and tags of OpenTelemetry's
 * conventions for messaging.
 *
 * <pre>{@code
 * ProducerMeters meters = ProducerMeters.of(registry);
 * meters.modify(queue, Modification.insert("inbox", "hello")).orThrow();
 * }</pre>
 *
 * <p>Each queue has meters of its own: it is not for queues without number, such as one for each
 * customer. Thread-safe.
 */
public final class ProducerMeters {
  private static final Tags SEND =
      Tags.of("messaging.system", "entroq", "messaging.operation.name", "send");

  private final MeterRegistry registry;

  private ProducerMeters(MeterRegistry registry) {
    this.registry = Objects.requireNonNull(registry, "registry");
  }

  /** Meters in a registry. */
  public static ProducerMeters of(MeterRegistry registry) {
    return new ProducerMeters(registry);
  }

  /**
   * Executes a modification. Its tasks count by their queues.
   *
   * @return the result, as from {@link EntroQ#modify}
   */
  public ModifyResult modify(EntroQ queue, Modification modification) {
    List<String> queues = modification.inserts().stream().map(Insert::queue).toList();
    String destination = queues.stream().distinct().count() == 1 ? queues.get(0) : "";
    return measure(destination, queues, () -> queue.modify(modification));
  }

  /**
   * Measures a request that inserts a task, for those who execute it themselves.
   *
   * @param destination by what the task counts: its queue, or the one of which {@link
   *     Insert#withKey} made it
   * @param request executes it
   */
  public ModifyResult measure(String destination, Supplier<ModifyResult> request) {
    return measure(destination, List.of(destination), request);
  }

  private ModifyResult measure(
      String destination, List<String> queues, Supplier<ModifyResult> request) {
    Timer.Sample sample = Timer.start(registry);
    String error = WorkerMeters.NO_ERROR;
    try {
      ModifyResult result = request.get();
      if (result instanceof ModifyResult.Committed) {
        queues.forEach(this::sent);
      } else {
        error = result.getClass().getSimpleName();
      }
      return result;
    } catch (Throwable e) {
      error = e.getClass().getName();
      throw e;
    } finally {
      sample.stop(timer(destination, error));
    }
  }

  private void sent(String queue) {
    Counter.builder("messaging.client.sent.messages")
        .description("Tasks inserted.")
        .tags(SEND)
        .tag(WorkerMeters.DESTINATION, queue)
        .register(registry)
        .increment();
  }

  /**
   * @param queue empty if there are several or none; all meters of a name have the same tags
   */
  private Timer timer(String queue, String error) {
    return Timer.builder("messaging.client.operation.duration")
        .description("How long requests took.")
        .tags(SEND)
        .tag(WorkerMeters.DESTINATION, queue)
        .tag(WorkerMeters.ERROR, error)
        .register(registry);
  }
}
