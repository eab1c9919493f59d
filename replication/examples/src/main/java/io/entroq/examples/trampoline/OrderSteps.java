package io.entroq.examples.trampoline;

import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.OutcomeException;
import java.util.Map;

/** What happens to orders, and which way they take. Any thread. */
final class OrderSteps {
  /** Above that somebody has to approve of it. */
  static final int CENTS_WITHOUT_APPROVAL = 100_000;

  private final Bank bank;

  OrderSteps(Bank bank) {
    this.bank = bank;
  }

  /** The way of an order on which nothing special happens. */
  static Order place(int number, int cents) {
    return Order.placed(number, cents, "check", "pay", "ship");
  }

  /** All steps by their names. */
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
      // Trying again is of no use: to quarantine at once.
      throw new OutcomeException(Outcome.quarantine("costs " + order.cents() + " cents"));
    }
    return order.cents() > CENTS_WITHOUT_APPROVAL ? order.via("approve") : order;
  }

  /** A bank that does not answer is asked again later: what is thrown fails the attempt. */
  private Order pay(Order order) throws Exception {
    return bank.charge(order.number(), order.cents()) ? order : order.rerouted("cancel");
  }
}
