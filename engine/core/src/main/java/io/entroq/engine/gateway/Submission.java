package io.entroq.engine.gateway;

/** A request that is under way. Any thread. */
public interface Submission {
  /**
   * Says that nobody wants the answer any more. If the engine has not come to the request yet, it
   * leaves it. The completion is not called from now on, though a call may be under way. Does
   * nothing once it was called.
   */
  void cancel();
}
