package io.entroq.client;

import io.entroq.api.EntroQException;
import io.entroq.client.transport.FailedException;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Listing;
import java.util.Optional;
import java.util.function.Function;

/**
 * A backup or an image in pieces, sent as fast as they are read. For one thread.
 *
 * @param <S> the pieces
 */
public final class PieceStream<S> implements AutoCloseable {
  private final Listing<S> pieces;
  private final long timeoutMs;
  private final Function<Failure, EntroQException> exception;

  PieceStream(Listing<S> pieces, long timeoutMs, Function<Failure, EntroQException> exception) {
    this.pieces = pieces;
    this.timeoutMs = timeoutMs;
    this.exception = exception;
  }

  /**
   * Waits for the next piece. Keeps an interrupt pending.
   *
   * @return empty after the last piece; a complete backup has an end message before that
   * @throws EntroQException.InvalidArgument if the server has nothing to send
   * @throws EntroQException.PermissionDenied if the caller may not do this
   * @throws EntroQException.Unavailable if the server does not answer, sends another one to
   *     somebody else, or has ended this one early
   */
  public Optional<S> next() {
    try {
      return pieces.next(timeoutMs);
    } catch (FailedException e) {
      throw exception.apply(e.failure());
    }
  }

  /** Cancels the rest. */
  @Override
  public void close() {
    pieces.close();
  }
}
