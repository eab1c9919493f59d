package io.entroq.examples.trampoline;

/** One step of an order. Thread-safe. */
@FunctionalInterface
interface Step {
  /**
   * Runs this step for an order. It may run again if a worker dies, so effects outside the queue
   * must be idempotent.
   *
   * @param order the order, with this step already completed
   * @return the order to pass on
   * @throws Exception if the step failed; it is retried later, and finally quarantined
   */
  Order take(Order order) throws Exception;
}
