package io.entroq.engine.gateway;

/**
 * A claim that waits for a task, or has been answered by one. Any thread.
 *
 * <p>It counts as a waiting claim until it is over. It is over when the completion was told of
 * anything but tasks; when it is cancelled or refused; or when it is settled.
 */
public interface WaitingClaim extends RevocableClaim {
  /**
   * Ends the wait of a claim under its caller's own identity, and lets the completion tell of it: a
   * result whose code is CANCELLED, unless there are tasks already. If the caller waits for the
   * same claim in another place, it goes on there. Does nothing once the completion has been
   * called.
   *
   * @throws IllegalStateException if the identity is the gateway's
   */
  void withdraw();
}
