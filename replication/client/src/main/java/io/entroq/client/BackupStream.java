package io.entroq.client;

import io.entroq.api.EntroQException;
import io.entroq.client.transport.FailedException;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Listing;
import io.entroq.codec.wire.published.admin.BackupResponse;
import java.util.Optional;
import java.util.function.Function;

/** A backup in pieces, sent as fast as they are read. For one thread. */
public final class BackupStream implements AutoCloseable {
  private final Listing<BackupResponse> pieces;
  private final long timeoutMs;
  private final Function<Failure, EntroQException> exception;

  BackupStream(
      Listing<BackupResponse> pieces,
      long timeoutMs,
      Function<Failure, EntroQException> exception) {
    this.pieces = pieces;
    this.timeoutMs = timeoutMs;
    this.exception = exception;
  }

  /**
   * Waits for the next piece. Keeps an interrupt pending.
   *
   * @return empty after the last piece; a complete backup has an end message before that
   * @throws EntroQException.InvalidArgument if the server has nothing to back up
   * @throws EntroQException.PermissionDenied if the caller may not do this
   * @throws EntroQException.Unavailable if the server does not answer, sends another backup, or has
   *     ended this one early
   */
  public Optional<BackupResponse> next() {
    try {
      return pieces.next(timeoutMs);
    } catch (FailedException e) {
      throw exception.apply(e.failure());
    }
  }

  /** Cancels the rest of the backup. */
  @Override
  public void close() {
    pieces.close();
  }
}
