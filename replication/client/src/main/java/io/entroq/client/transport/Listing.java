package io.entroq.client.transport;

import java.util.Optional;

/**
 * A stream of messages with flow control. For one thread.
 *
 * @param <A> the message
 */
public interface Listing<A> extends AutoCloseable {
  /**
   * Waits for the next message. Keeps an interrupt pending.
   *
   * @param timeoutMs after this time it fails with DEADLINE_EXCEEDED; above zero
   * @return empty at the end
   * @throws FailedException if the rest of the messages is lost
   */
  Optional<A> next(long timeoutMs);

  /**
   * Makes the listing fail with CANCELLED after the messages that have arrived. Does nothing if it
   * has ended. Any thread.
   */
  void cancel();

  /** Cancels the rest of the messages. */
  @Override
  void close();
}
