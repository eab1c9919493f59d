package io.entroq.engine.gateway;

/**
 * A claim that waits for a task, or was answered with one. Any thread.
 *
 * <p>It counts as a waiting claim until it is over: when the completion got anything but tasks,
 * when it is canceled or refused, or when it is settled.
 */
public interface WaitingClaim extends RevocableClaim {
  /**
   * Ends the wait of a claim under its caller's own identity. The completion gets the code
   * CANCELLED, unless there are tasks already. If the caller waits for the same claim elsewhere,
   * that wait continues. No effect once the completion was called.
   *
   * @throws IllegalStateException if the identity is the gateway's
   */
  void withdraw();
}
