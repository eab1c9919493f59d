package io.entroq.examples.trampoline;

/** What a kind of worker does. Any thread. */
@FunctionalInterface
interface Step {
  /**
   * Does this step for an order. It may be called again for an order whose worker died, so effects
   * outside of the queue must bear a repetition.
   *
   * @param order with this step behind it already
   * @return the order as it goes on
   * @throws Exception anything: the step is tried again later, and in the end given up
   */
  Order take(Order order) throws Exception;
}
