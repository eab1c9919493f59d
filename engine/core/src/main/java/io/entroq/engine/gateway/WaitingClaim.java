package io.entroq.engine.gateway;

/**
 * A claim that waits for a task, or has been answered by one. Any thread.
 *
 * <p>It counts as a waiting claim until it is over. It is over when the completion was told of
 * anything but tasks; when it is cancelled or refused; or when it is settled.
 */
public interface WaitingClaim extends RevocableClaim {}
