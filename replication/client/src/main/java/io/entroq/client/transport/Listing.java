package io.entroq.client.transport;

import java.util.Optional;

/**
 * Messages that are taken one by one, as fast as whoever takes them. For one thread.
 *
 * @param <A> the message
 */
public interface Listing<A> extends AutoCloseable {
  /**
   * Waits for the next message; an interrupt is pending afterwards.
   *
   * @param timeoutMs after which it fails with DEADLINE_EXCEEDED; above zero
   * @return empty if there are no more
   * @throws FailedException if there is no telling what else there would have been
   */
  Optional<A> next(long timeoutMs);

  /**
   * Has it fail with CANCELLED, after everything that has come by then. Does nothing if it is over.
   * Any thread.
   */
  void cancel();

  /** Ends it; what has not come yet does not come any more. */
  @Override
  void close();
}
