package io.entroq.spring;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.worker.WorkerMetrics;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** {@code /actuator/entroq}: queues with their tasks, and listeners with what they did. */
@Endpoint(id = "entroq")
final class EntroQEndpoint {
  private static final int QUEUES_DEFAULT = 100;

  private final EntroQ queue;
  private final QueueListeners listeners;
  private final Supplier<List<?>> outboxes;
  private final Duration timeout;

  /**
   * What the application sees of the queue.
   *
   * @param outboxes for {@code entroq-jdbc}, which not all applications have
   * @param error why there are no queues; null if they could be read
   */
  record Report(
      List<QueueReport> queues,
      List<ListenerReport> listeners,
      List<?> outboxes,
      @Nullable String error) {}

  /** A queue: how many tasks it has, and how they are. */
  record QueueReport(String name, long tasks, long available, long claimed, long waiting) {
    static QueueReport of(QueueStats stats) {
      return new QueueReport(
          stats.name(), stats.tasks(), stats.available(), stats.claimed(), stats.future());
    }
  }

  /** A listener of this application. */
  record ListenerReport(
      String name,
      String method,
      List<String> queues,
      int concurrency,
      boolean running,
      WorkerMetrics tasks) {
    static ListenerReport of(RunningListener listener) {
      ListenerDefinition definition = listener.definition();
      return new ListenerReport(
          definition.name(),
          definition.method().toString(),
          definition.queues(),
          listener.concurrency(),
          listener.isRunning(),
          listener.metrics());
    }
  }

  EntroQEndpoint(
      EntroQ queue, QueueListeners listeners, Supplier<List<?>> outboxes, Duration timeout) {
    this.queue = queue;
    this.listeners = listeners;
    this.outboxes = outboxes;
    this.timeout = timeout;
  }

  /**
   * Reads the state.
   *
   * @param prefix with which the names of the queues begin; null for all
   * @param limit of the number of queues; null for 100
   */
  @ReadOperation
  Report entroq(@Nullable String prefix, @Nullable Integer limit) {
    List<ListenerReport> states = listeners.all().stream().map(ListenerReport::of).toList();
    QueueQuery query = prefix == null ? QueueQuery.all() : QueueQuery.startingWith(prefix);
    List<QueueReport> queues = List.of();
    String error = null;
    try {
      queues =
          queue
              .withTimeout(timeout)
              .queueStats(query.withLimit(limit == null ? QUEUES_DEFAULT : limit))
              .values()
              .stream()
              .map(QueueReport::of)
              .sorted(Comparator.comparing(QueueReport::name))
              .toList();
    } catch (EntroQException e) {
      error = e.getMessage();
    }
    return new Report(queues, states, outboxes.get(), error);
  }
}
