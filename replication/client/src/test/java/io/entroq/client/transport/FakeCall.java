package io.entroq.client.transport;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;

/** A call whose responses the test provides. For one thread. */
final class FakeCall<Q, A> extends ClientCall<Q, A> {
  static final Metadata.Key<String> PROTOCOL =
      Metadata.Key.of("entroq-protocol", Metadata.ASCII_STRING_MARSHALLER);

  private final MethodDescriptor<Q, A> method;
  private final List<Q> sent = new ArrayList<>();
  private volatile Listener<A> listener;
  private volatile Metadata headers;
  private boolean isReady = true;
  private boolean isHalfClosed;
  private boolean isCancelled;

  FakeCall(MethodDescriptor<Q, A> method) {
    this.method = method;
  }

  MethodDescriptor<Q, A> method() {
    return method;
  }

  /** All messages sent so far. */
  List<Q> sent() {
    return sent;
  }

  /** The last message sent. */
  Q last() {
    return sent.get(sent.size() - 1);
  }

  Metadata headers() {
    return headers;
  }

  boolean isHalfClosed() {
    return isHalfClosed;
  }

  boolean isCancelled() {
    return isCancelled;
  }

  /** Answers as a server of protocols 1 and 2 does. */
  void answer(A message) {
    answer(message, "1,2");
  }

  /**
   * @param protocols announced by the server; null if it does not announce any
   */
  void answer(A message, String protocols) {
    Metadata announced = new Metadata();
    if (protocols != null) {
      announced.put(PROTOCOL, protocols);
    }
    listener.onHeaders(announced);
    listener.onMessage(message);
  }

  void end(Status status) {
    listener.onClose(status, new Metadata());
  }

  /** Ends the call with trailers. */
  void end(Status status, Metadata trailers) {
    listener.onClose(status, trailers);
  }

  /** Sets whether the call is ready for messages. */
  void ready(boolean newReady) {
    isReady = newReady;
    if (newReady) {
      listener.onReady();
    }
  }

  @Override
  public void start(Listener<A> newListener, Metadata newHeaders) {
    listener = newListener;
    headers = newHeaders;
  }

  @Override
  public void request(int messages) {}

  @Override
  public boolean isReady() {
    return isReady;
  }

  @Override
  public void sendMessage(Q message) {
    if (isHalfClosed || isCancelled) {
      throw new IllegalStateException("nothing is sent any more");
    }
    sent.add(message);
  }

  @Override
  public void halfClose() {
    isHalfClosed = true;
  }

  /** Like gRPC, reports the end of the call. */
  @Override
  public void cancel(String message, Throwable cause) {
    if (!isCancelled) {
      isCancelled = true;
      end(Status.CANCELLED.withDescription(message));
    }
  }
}
