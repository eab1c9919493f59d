package io.entroq.engine.gateway;

/**
 * A request that may be assigned tasks, on its way or answered: what it was assigned can be given
 * back until it is settled. Any thread.
 *
 * <p>To give back is to restore arrival time and claimant, to take one claim off, and to make a
 * version of its own, contract 2.2.6. Whatever else a Modify has done stays done.
 */
public interface RevocableClaim extends Submission {
  /**
   * Ends the request, and gives back what it was assigned, if it has the gateway's identity. What
   * it was assigned under its caller's own is his: he may ask again. Works until the request is
   * settled, also when the completion has been called.
   */
  @Override
  void cancel();

  /**
   * Says that the caller cannot be told what was assigned, and gives it back, whosever identity it
   * has.
   *
   * @throws IllegalStateException if the completion has not been called yet
   */
  void refuse();

  /**
   * Says that the answer is on its way to the caller, so that the tasks are his.
   *
   * @throws IllegalStateException if the completion has not been called yet
   */
  void settle();
}
