package io.entroq.service.call;

import io.entroq.engine.gateway.Submission;

/** A running call, as its transport sees it. Any thread; what comes after its end has no effect. */
public interface Call {
  /** Ends the call: nobody waits for its response any more. */
  void cancel();

  /**
   * Stops a call from waiting, while its caller still wants to know the outcome. A call that does
   * not wait is answered soon anyway.
   */
  default void withdraw() {}

  /** Reports that the response has left, and will most likely arrive. */
  default void delivered() {}

  /** Reports that a stream may send more responses. */
  default void ready() {}

  /** A call that is one request to the engine. */
  static Call of(Submission submission) {
    return submission::cancel;
  }

  /** A call that has been answered. */
  static Call done() {
    return () -> {};
  }
}
