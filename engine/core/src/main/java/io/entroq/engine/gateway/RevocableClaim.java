package io.entroq.engine.gateway;

/**
 * A request that may be assigned tasks, in flight or answered: they can be returned until it is
 * settled. Any thread.
 *
 * <p>Returning a task restores its arrival time and claimant, decrements its number of claims and
 * gives it a new version (contract 2.2.6). Everything else that a Modify did remains.
 */
public interface RevocableClaim extends Submission {
  /**
   * Ends the request. Under the gateway's identity, returns its tasks. Under the caller's own, the
   * caller keeps them, as it may retry. Works until the request is settled, also after the
   * completion was called.
   */
  @Override
  void cancel();

  /**
   * Returns the tasks because they cannot be delivered, under either identity.
   *
   * @throws IllegalStateException if the completion has not been called yet
   */
  void refuse();

  /**
   * Settles the request: the reply is on its way, and the caller keeps the tasks.
   *
   * @throws IllegalStateException if the completion has not been called yet
   */
  void settle();
}
