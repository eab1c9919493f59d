package io.entroq.examples.trampoline;

import java.io.IOException;

/** Somebody else's service that takes the money. */
@FunctionalInterface
interface Bank {
  /**
   * Charges for an order; again for the same one, it charges no more and says what it said.
   *
   * @return whether it could be paid
   * @throws IOException if nobody answers
   */
  boolean charge(int order, int cents) throws IOException;
}
