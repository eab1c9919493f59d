package io.entroq.api.worker;

import io.entroq.api.EntroQException;

/** What is to be made of a request that failed. */
final class Requests {
  private Requests() {}

  /** Whether it is certain that nothing was done. */
  static boolean didNothing(Throwable failure) {
    return failure instanceof EntroQException.ResourceExhausted
        || failure instanceof EntroQException.Unavailable;
  }
}
