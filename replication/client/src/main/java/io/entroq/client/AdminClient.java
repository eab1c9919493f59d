package io.entroq.client;

import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.client.transport.Channels;
import io.entroq.client.transport.Exchange;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.Receiver;
import io.entroq.client.transport.UnaryTransport;
import io.entroq.codec.wire.published.admin.LevelRequest;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.RaiseLevelRequest;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.TakeSnapshotRequest;
import io.entroq.codec.wire.published.admin.TakeSnapshotResponse;
import io.grpc.Status;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * The operators' API of one server. Each request is sent once, with the connect timeout of the
 * {@link ClientConfig}. Thread-safe; calls block.
 */
public final class AdminClient implements AutoCloseable {
  private final String where;
  private final long timeoutMs;
  private final UnaryTransport transport;

  private AdminClient(ClientConfig config, Channels channels) {
    where = config.channels().where();
    timeoutMs = config.connectTimeout().toMillis();
    transport = new UnaryTransport(channels, config.authorization());
  }

  /**
   * Creates a client of one server; sends nothing yet.
   *
   * @param config with one address
   * @throws EntroQException.InvalidArgument if a key or certificate file cannot be read
   */
  public static AdminClient of(ClientConfig config) {
    if (config.channels().addresses().size() != 1) {
      throw new EntroQException.InvalidArgument(
          "one server at a time can be asked, not " + config.channels().where());
    }
    try {
      return new AdminClient(config, Channels.open(config.channels()));
    } catch (IOException | IllegalArgumentException e) {
      throw new EntroQException.InvalidArgument("keys or certificates: " + e.getMessage(), e);
    }
  }

  /**
   * The status of the cluster member that the server hosts.
   *
   * @throws EntroQException.InvalidArgument if the server hosts no cluster member
   * @throws EntroQException.PermissionDenied if the caller may not know
   * @throws EntroQException.Unavailable if the server does not answer
   */
  public StatusResponse status() {
    return ask(Method.STATUS, StatusRequest.getDefaultInstance(), this::refusal);
  }

  /**
   * Requests a snapshot of all members; does not wait for it.
   *
   * @throws EntroQException.InvalidArgument if the server is no member of a cluster, or does not
   *     lead it
   * @throws EntroQException.PermissionDenied if the caller may not
   * @throws EntroQException.Unavailable if nobody was there to be asked, another snapshot is being
   *     taken, or the leader is not settled yet
   * @throws EntroQException.OutcomeUnknown if it may have been asked for, and there is no answer
   */
  public TakeSnapshotResponse takeSnapshot() {
    return ask(Method.TAKE_SNAPSHOT, TakeSnapshotRequest.getDefaultInstance(), this::changeRefusal);
  }

  /**
   * The behaviour level of the server's log, and what supports which: of a cluster all members are
   * asked.
   *
   * @throws EntroQException.InvalidArgument if the server has no log, or is too old to say
   * @throws EntroQException.PermissionDenied if the caller may not know
   * @throws EntroQException.Unavailable if nobody answers, or the member has no leader, or has
   *     ended
   */
  public LevelResponse level() {
    return ask(Method.LEVEL, LevelRequest.getDefaultInstance(), this::refusal);
  }

  /**
   * Raises the behaviour level, for good.
   *
   * @return what it was before
   * @throws EntroQException.InvalidArgument if that cannot be; the message says why
   * @throws EntroQException.PermissionDenied if the caller may not
   * @throws EntroQException.Unavailable if nobody was there to be asked, or the member has no
   *     leader, or has ended: nothing was raised
   * @throws EntroQException.OutcomeUnknown if it may have been raised, and there is no answer
   */
  public int raiseLevel(int level) {
    return ask(
            Method.RAISE_LEVEL,
            RaiseLevelRequest.newBuilder().setLevel(level).build(),
            this::changeRefusal)
        .getBefore();
  }

  /**
   * Asks for a backup.
   *
   * @param silenceMs for how long nothing may come before it is given up
   */
  public ArrivingBackup backup(long silenceMs) {
    return new ArrivingBackup(transport.backup(), silenceMs, this::refusal);
  }

  private <Q extends Message, A extends Message> A ask(
      Method<Q, A> method, Q request, Function<Failure, EntroQException> exception) {
    CompletableFuture<A> answered = new CompletableFuture<>();
    Exchange unused =
        transport.send(
            method,
            request,
            timeoutMs,
            new Receiver<>() {
              @Override
              public void onAnswer(A answer) {
                answered.complete(answer);
              }

              @Override
              public void onFailure(Failure failure) {
                answered.completeExceptionally(exception.apply(failure));
              }
            });
    try {
      return answered.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof EntroQException refused) {
        throw refused;
      }
      throw e;
    }
  }

  private EntroQException changeRefusal(Failure failure) {
    return failure.isOutcomeUnknown()
        ? new EntroQException.OutcomeUnknown(refusal(failure).getMessage())
        : refusal(failure);
  }

  private EntroQException refusal(Failure failure) {
    return switch (failure.code()) {
      case UNIMPLEMENTED ->
          new EntroQException.InvalidArgument(
              where + " answers no operators: it is another server, or of an older version");
      case UNAVAILABLE, DEADLINE_EXCEEDED, ABORTED ->
          new EntroQException.Unavailable(
              failure.code() == Status.Code.ABORTED
                  ? failure.message()
                  : "no answer from " + where + ": " + failure.message());
      default -> FailureMapping.ofRead(failure);
    };
  }

  /** Closes the connection. */
  @Override
  public void close() {
    transport.close();
  }
}
