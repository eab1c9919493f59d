package io.entroq.engine.gateway;

/** A request in flight. Any thread. */
public interface Submission {
  /**
   * Cancels the request. The engine skips it if it has not started it. The completion is not called
   * any more, although a call may be in progress. No effect once it was called.
   */
  void cancel();
}
