package io.entroq.engine.gateway;

/**
 * A claim that waits for a task, or has been answered by one. Any thread.
 *
 * <p>It counts as a waiting claim until it is over. It is over when the completion was told of
 * anything but tasks; when it is cancelled; or when it is settled.
 */
public interface WaitingClaim extends Submission {
  /**
   * Ends the claim, and gives back what it was assigned, if it has the gateway's identity: arrival
   * time and claimant as before, one claim less, and a version of its own, contract 2.2.6. Works
   * until the claim is settled, also when the completion has been called.
   */
  @Override
  void cancel();

  /**
   * Says that the answer is on its way to the caller, so that the tasks are his.
   *
   * @throws IllegalStateException if the completion has not been called yet
   */
  void settle();
}
