package io.entroq.client;

import io.entroq.api.EntroQException;
import io.entroq.client.transport.FailedException;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Listing;
import io.entroq.codec.wire.published.admin.BackupResponse;
import java.util.Optional;
import java.util.function.Function;

/** A backup that comes piece by piece, as fast as they are taken. For one thread. */
public final class ArrivingBackup implements AutoCloseable {
  private final Listing<BackupResponse> pieces;
  private final long silenceMs;
  private final Function<Failure, EntroQException> exception;

  /**
   * @param silenceMs how long each piece is waited for
   */
  ArrivingBackup(
      Listing<BackupResponse> pieces,
      long silenceMs,
      Function<Failure, EntroQException> exception) {
    this.pieces = pieces;
    this.silenceMs = silenceMs;
    this.exception = exception;
  }

  /**
   * Waits for the next piece; an interrupt is pending afterwards.
   *
   * @return empty if there are no more; a backup that is whole has told of its end before
   * @throws EntroQException.InvalidArgument if the server keeps nothing that could be sent
   * @throws EntroQException.PermissionDenied if the caller may not
   * @throws EntroQException.Unavailable if nobody answers, another backup is being made, or this
   *     one has come to an early end
   */
  public Optional<BackupResponse> next() {
    try {
      return pieces.next(silenceMs);
    } catch (FailedException e) {
      throw exception.apply(e.failure());
    }
  }

  /** Ends it; what has not come yet does not come any more. */
  @Override
  public void close() {
    pieces.close();
  }
}
