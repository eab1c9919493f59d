package io.entroq.engine.gateway;

/**
 * A request that may be assigned tasks, in flight or answered: they can be returned until it is
 * settled. Any thread.
 *
 * <p>Returning restores arrival time and claimant, takes one claim off, and makes a new version
 * (contract 2.2.6). Whatever else a Modify has done stays done.
 */
public interface RevocableClaim extends Submission {
  /**
   * Ends the request. Under the gateway's identity, returns what it was assigned; under its
   * caller's own, the caller keeps it, as it may ask again. Works until the request is settled,
   * also after the completion was called.
   */
  @Override
  void cancel();

  /**
   * Says that the tasks cannot be delivered, and returns them, whatever the identity.
   *
   * @throws IllegalStateException if the completion has not been called yet
   */
  void refuse();

  /**
   * Says that the reply is on its way, so the tasks are the caller's.
   *
   * @throws IllegalStateException if the completion has not been called yet
   */
  void settle();
}
