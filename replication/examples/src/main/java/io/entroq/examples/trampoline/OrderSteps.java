package io.entroq.examples.trampoline;

import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.OutcomeException;
import java.util.Map;

/** The steps of orders, and their routes. Thread-safe. */
final class OrderSteps {
  /** A more expensive order needs approval. */
  static final int CENTS_WITHOUT_APPROVAL = 100_000;

  private final Bank bank;

  OrderSteps(Bank bank) {
    this.bank = bank;
  }

  /** An order with the usual route. */
  static Order place(int number, int cents) {
    return Order.placed(number, cents, "check", "pay", "ship");
  }

  /** All steps, by name. */
  Map<String, Step> all() {
    return Map.of(
        "check", this::check,
        "approve", order -> order,
        "pay", this::pay,
        "ship", order -> order,
        "cancel", order -> order);
  }

  private Order check(Order order) {
    if (order.cents() <= 0) {
      // A retry cannot help.
      throw new OutcomeException(Outcome.quarantine("costs " + order.cents() + " cents"));
    }
    return order.cents() > CENTS_WITHOUT_APPROVAL ? order.via("approve") : order;
  }

  /** If the bank does not answer, the exception fails the attempt, and the worker retries. */
  private Order pay(Order order) throws Exception {
    return bank.charge(order.number(), order.cents()) ? order : order.rerouted("cancel");
  }
}
