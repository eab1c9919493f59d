package io.entroq.examples.trampoline;

import java.io.IOException;

/** An external service that charges customers. */
@FunctionalInterface
interface Bank {
  /**
   * Charges for an order. Idempotent: a repeated call charges nothing and returns the same result.
   *
   * @return whether the payment succeeded
   * @throws IOException if the bank does not answer
   */
  boolean charge(int order, int cents) throws IOException;
}
