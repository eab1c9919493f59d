package io.entroq.service.call;

import io.entroq.engine.gateway.Submission;

/** A running call, as its transport sees it. Any thread; has no effect after the call's end. */
public interface Call {
  /** Ends the call: nobody waits for its response. */
  void cancel();

  /**
   * Stops the call from waiting; its caller still wants the outcome. A call that does not wait is
   * answered soon anyway.
   */
  default void withdraw() {}

  /** Reports that the response was sent and will most likely arrive. */
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
