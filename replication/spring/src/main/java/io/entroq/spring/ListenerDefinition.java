package io.entroq.spring;

import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.OutcomeException;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.WorkerListener;
import java.time.Duration;
import java.util.List;

/**
 * A listener with its settings, placeholders replaced and defaults applied.
 *
 * @param quarantine exceptions after which a task is not retried
 */
record ListenerDefinition(
    String name,
    List<String> queues,
    int concurrency,
    Duration lease,
    int attempts,
    List<Class<? extends Throwable>> quarantine,
    ListenerMethod method) {
  ListenerDefinition {
    queues = List.copyOf(queues);
    quarantine = List.copyOf(quarantine);
  }

  /** Adds the rule about exceptions to a handler. */
  Handler<Object> withQuarantine(Handler<Object> handler) {
    return work -> {
      try {
        return handler.handle(work);
      } catch (OutcomeException e) {
        throw e;
      } catch (Throwable e) {
        if (work.isCancelled() || quarantine.stream().noneMatch(type -> type.isInstance(e))) {
          throw e;
        }
        return quarantined(work, e);
      }
    };
  }

  private static Outcome quarantined(WorkContext<Object> work, Throwable failure) {
    // The worker only sees an outcome, and its log would lack the stack trace.
    WorkerListener.logging().onHandlerFailed(work.task(), failure);
    return Outcome.quarantine(
        failure.getMessage() == null
            ? failure.getClass().getSimpleName()
            : failure.getClass().getSimpleName() + ": " + failure.getMessage());
  }

  /**
   * The queue by which metrics count a task: the configured one, as the members of a pool are
   * without number.
   */
  String queueOf(String name) {
    return queues.stream()
        .filter(queue -> name.equals(queue) || name.startsWith(queue + "/"))
        .findFirst()
        .orElse(queues.get(0));
  }
}
