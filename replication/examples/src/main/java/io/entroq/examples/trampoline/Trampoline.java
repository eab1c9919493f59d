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
  /** The queue of orders that have completed all steps. */
  static final String DONE = "orders/done";

  /** Failed attempts at a step after which an order is quarantined. */
  static final int ATTEMPTS_MAX = 3;

  private Trampoline() {}

  /** The queue of a step. */
  static String queueOf(String step) {
    return "orders/" + step;
  }

  /** The quarantine of orders whose step failed too often or that cannot be decoded. */
  static String quarantineOf(String step) {
    return queueOf(step) + "/err";
  }

  /** Inserts an order into the queue of its next step. */
  static Insert send(Order order) {
    String queue = order.route().isEmpty() ? DONE : queueOf(order.route().get(0));
    return Insert.into(queue).withValue(Order.CODEC.encode(order));
  }

  /**
   * Starts a worker for a step.
   *
   * <p>Each step is a separate task, so the attempts of one step do not count for the next.
   *
   * @param lease time after which other workers take over from a dead one; a live worker renews it
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
