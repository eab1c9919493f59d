package io.entroq.service.call;

import io.entroq.engine.gateway.Submission;

/** A running call, as its transport sees it. Any thread; what comes after its end has no effect. */
public interface Call {
  /** Nobody waits for the answer any more. */
  void cancel();

  /**
   * Whoever waits for the answer wants to wait no longer, and to hear all the same what came of it.
   * What does not wait for anything is answered soon anyway.
   */
  default void withdraw() {}

  /** The answer has left: whoever has asked will most likely get it. */
  default void delivered() {}

  /** More answers may be sent, of a call that has several. */
  default void ready() {}

  /** A call that is no more than one request to the engine. */
  static Call of(Submission submission) {
    return submission::cancel;
  }

  /** A call that has its answer already. */
  static Call done() {
    return () -> {};
  }
}
