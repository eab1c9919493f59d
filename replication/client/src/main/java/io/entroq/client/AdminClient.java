package io.entroq.client;

import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.client.translation.FailureMapping;
import io.entroq.client.transport.Channels;
import io.entroq.client.transport.Exchange;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.Receiver;
import io.entroq.client.transport.UnaryTransport;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.codec.wire.published.admin.ImageRequest;
import io.entroq.codec.wire.published.admin.ImageResponse;
import io.entroq.codec.wire.published.admin.LevelRequest;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.RaiseLevelRequest;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.StopRequest;
import io.entroq.codec.wire.published.admin.StopResponse;
import io.entroq.codec.wire.published.admin.TakeSnapshotRequest;
import io.entroq.codec.wire.published.admin.TakeSnapshotResponse;
import io.grpc.Status;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The operators' API of one server. Each request is sent once, with the connect timeout of the
 * {@link ClientConfig}. Thread-safe; calls block.
 */
public final class AdminClient implements AutoCloseable {
  private final String address;
  private final long timeoutMs;
  private final UnaryTransport transport;

  private AdminClient(ClientConfig config, Channels channels) {
    address = config.channels().addressText();
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
          "an admin client has one server address, not " + config.channels().addressText());
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
   * @throws EntroQException.PermissionDenied if the caller may not read it
   * @throws EntroQException.Unavailable if the server does not answer
   */
  public StatusResponse status() {
    return call(Method.STATUS, StatusRequest.getDefaultInstance(), this::refusal);
  }

  /**
   * Whether the server accepts no connection, or says that its member has ended. One that is busy
   * or slow is not gone.
   */
  public boolean isGone() {
    CompletableFuture<Boolean> gone = new CompletableFuture<>();
    send(
        Method.STATUS,
        StatusRequest.getDefaultInstance(),
        timeoutMs,
        answer -> gone.complete(false),
        failure -> gone.complete(failure.code() == Status.Code.UNAVAILABLE));
    return gone.join();
  }

  /**
   * Requests a snapshot of all members; does not wait for it.
   *
   * @throws EntroQException.InvalidArgument if the server is not the leader of a cluster
   * @throws EntroQException.PermissionDenied if the caller may not do this
   * @throws EntroQException.Unavailable if the server cannot be reached, another snapshot is in
   *     progress, or an election runs
   * @throws EntroQException.OutcomeUnknown if the request was sent but not answered
   */
  public TakeSnapshotResponse takeSnapshot() {
    return call(
        Method.TAKE_SNAPSHOT, TakeSnapshotRequest.getDefaultInstance(), this::changeRefusal);
  }

  /**
   * The behavior level of the server's log, and the levels that the server supports, or all members
   * of its cluster.
   *
   * @throws EntroQException.InvalidArgument if the server has no log or is too old
   * @throws EntroQException.PermissionDenied if the caller may not read it
   * @throws EntroQException.Unavailable if the server does not answer, or the member has no leader
   *     or has ended
   */
  public LevelResponse level() {
    return call(Method.LEVEL, LevelRequest.getDefaultInstance(), this::refusal);
  }

  /**
   * Raises the behavior level, which cannot be lowered again.
   *
   * @return the previous level
   * @throws EntroQException.InvalidArgument if the level cannot be raised; the message says why
   * @throws EntroQException.PermissionDenied if the caller may not do this
   * @throws EntroQException.Unavailable if the server cannot be reached, or the member has no
   *     leader or has ended. Nothing was raised
   * @throws EntroQException.OutcomeUnknown if the request was sent but not answered
   */
  public int raiseLevel(int level) {
    return call(
            Method.RAISE_LEVEL,
            RaiseLevelRequest.newBuilder().setLevel(level).build(),
            this::changeRefusal)
        .getBefore();
  }

  /**
   * Stops all members of the cluster at one position of its log, to change them.
   *
   * @param stopTimeoutMs how long to wait until the server's member has stopped
   * @throws EntroQException.InvalidArgument if the server is not the leader of a cluster, or its
   *     behavior level is too low
   * @throws EntroQException.PermissionDenied if the caller may not do this
   * @throws EntroQException.Unavailable if the server cannot be reached. Nothing was done
   * @throws EntroQException.OutcomeUnknown if the request was sent but not answered
   */
  public StopResponse stop(long stopTimeoutMs) {
    return call(Method.STOP, StopRequest.getDefaultInstance(), stopTimeoutMs, this::changeRefusal);
  }

  /**
   * Requests a backup.
   *
   * @param timeoutMs how long to wait for each piece
   */
  public PieceStream<BackupResponse> backup(long timeoutMs) {
    return new PieceStream<>(transport.backup(), timeoutMs, this::refusal);
  }

  /**
   * Requests the image of a cluster's snapshot.
   *
   * @param position of the snapshot in the cluster's log
   * @param offset bytes of the state that are not to be sent again
   * @param timeoutMs how long to wait for each piece
   */
  public PieceStream<ImageResponse> image(long position, long offset, long timeoutMs) {
    ImageRequest request =
        ImageRequest.newBuilder().setPosition(position).setOffset(offset).build();
    return new PieceStream<>(transport.image(request), timeoutMs, this::refusal);
  }

  private <Q extends Message, A extends Message> A call(
      Method<Q, A> method, Q request, Function<Failure, EntroQException> exception) {
    return call(method, request, timeoutMs, exception);
  }

  private <Q extends Message, A extends Message> A call(
      Method<Q, A> method,
      Q request,
      long answerTimeoutMs,
      Function<Failure, EntroQException> exception) {
    CompletableFuture<A> answered = new CompletableFuture<>();
    send(
        method,
        request,
        answerTimeoutMs,
        answered::complete,
        failure -> answered.completeExceptionally(exception.apply(failure)));
    try {
      return answered.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof EntroQException refused) {
        throw refused;
      }
      throw e;
    }
  }

  private <Q extends Message, A extends Message> void send(
      Method<Q, A> method,
      Q request,
      long answerTimeoutMs,
      Consumer<A> onAnswer,
      Consumer<Failure> onFailure) {
    Exchange unused =
        transport.send(
            method,
            request,
            answerTimeoutMs,
            new Receiver<>() {
              @Override
              public void onAnswer(A answer) {
                onAnswer.accept(answer);
              }

              @Override
              public void onFailure(Failure failure) {
                onFailure.accept(failure);
              }
            });
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
              address + " has no admin service: it is an older or a different server");
      case UNAVAILABLE, DEADLINE_EXCEEDED ->
          new EntroQException.Unavailable("no answer from " + address + ": " + failure.message());
      // Not done, and possible later.
      case RESOURCE_EXHAUSTED -> new EntroQException.Unavailable(failure.message());
      default -> FailureMapping.ofRead(failure);
    };
  }

  /** Closes the connection. */
  @Override
  public void close() {
    transport.close();
  }
}
