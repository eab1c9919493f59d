package io.entroq.engine.gateway;

/** A request in flight. Any thread. */
public interface Submission {
  /**
   * Says that nobody wants the answer. If the engine has not started the request, it skips it. The
   * completion is not called from now on, though a call may be in progress. No effect once it was
   * called.
   */
  void cancel();
}
