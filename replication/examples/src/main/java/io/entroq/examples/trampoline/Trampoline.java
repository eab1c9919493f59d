package io.entroq.examples.trampoline;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import java.time.Duration;

/** Sends orders from step to step. */
final class Trampoline {
  /** Where orders are when no step is left. */
  static final String DONE = "orders/done";

  /** Tries of a step after which an order is put into quarantine. */
  static final int ATTEMPTS_MAX = 3;

  private Trampoline() {}

  /** The queue of a step. */
  static String queueOf(String step) {
    return "orders/" + step;
  }

  /** Where orders are whose step failed too often, or that nobody can read. */
  static String quarantineOf(String step) {
    return queueOf(step) + "/err";
  }

  /** Puts an order before its next step. */
  static Insert send(Order order) {
    String queue = order.route().isEmpty() ? DONE : queueOf(order.route().get(0));
    return Insert.into(queue).withValue(Order.CODEC.encode(order));
  }

  /**
   * Starts a worker for a step.
   *
   * <p>Each step is a task of its own, with attempts of its own: what failed twice on one step
   * begins the next one afresh.
   *
   * @param lease after which others take over from a worker that died; renewed while it lives
   */
  static Worker start(EntroQ queue, String step, Step work, Duration lease) {
    return Worker.on(queue)
        .from(queueOf(step))
        .values(Order.CODEC)
        .lease(lease)
        .maxAttempts(ATTEMPTS_MAX)
        .retryBackoff(new Backoff(Duration.ofMillis(200), Duration.ofMinutes(1), 0.2))
        .start(
            context -> {
              Order next = work.take(context.value().onward());
              return Outcome.done(Modification.insert(send(next)));
            });
  }
}
