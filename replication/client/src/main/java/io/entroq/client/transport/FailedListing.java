package io.entroq.client.transport;

import java.util.Optional;

/** A listing that was not sent. */
record FailedListing<A>(Failure failure) implements Listing<A> {
  @Override
  public Optional<A> next(long timeoutMs) {
    throw new FailedException(failure);
  }

  @Override
  public void cancel() {
    // It has failed already.
  }

  @Override
  public void close() {
    // As above.
  }
}
