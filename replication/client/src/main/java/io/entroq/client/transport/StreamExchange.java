package io.entroq.client.transport;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.StreamError;
import io.entroq.codec.wire.edge.StreamRequest;
import io.entroq.codec.wire.edge.StreamResponse;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request that is sent over a stream, or as a call if the stream does not accept it. */
final class StreamExchange<Q extends Message, A extends Message> implements Exchange {
  private static final String TYPE_URL = "type.googleapis.com/";

  private final Method<Q, A> method;
  private final Q request;
  private final long deadlineNs;
  private final Receiver<A> receiver;

  /** Whether the receiver was called, or the request has gone as a call. */
  private final AtomicBoolean isCompleted = new AtomicBoolean();

  private volatile RequestStream stream;
  private volatile Exchange call;
  private volatile boolean isCancelled;

  /** Its number on the stream; 0 until it is sent. Guarded by the stream. */
  private int number;

  /**
   * @param deadlineNs when it fails with DEADLINE_EXCEEDED, by {@link System#nanoTime}
   */
  StreamExchange(Method<Q, A> method, Q request, long deadlineNs, Receiver<A> receiver) {
    this.method = method;
    this.request = request;
    this.deadlineNs = deadlineNs;
    this.receiver = receiver;
  }

  /** Called when a stream has queued the request. */
  void attach(RequestStream newStream) {
    stream = newStream;
  }

  void sendAsCall(UnaryTransport calls, long nowNs) {
    if (!isCompleted.compareAndSet(false, true)) {
      return;
    }
    long remainingMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - nowNs);
    Exchange sent = calls.send(method, request, Math.max(1, remainingMs), receiver);
    call = sent;
    // A concurrent cancel either sees the call, or is seen here.
    if (isCancelled) {
      sent.cancel();
    }
  }

  int number() {
    return number;
  }

  /** Assigns a number and returns the stream message. */
  StreamRequest.Builder toMessage(int newNumber) {
    number = newNumber;
    return StreamCodec.of(method, request).setNumber(newNumber);
  }

  int bytes() {
    return request.getSerializedSize();
  }

  /** Whether it waits at the server, which answers it even if it is canceled. */
  boolean isWaitingClaim() {
    return method == Method.CLAIM;
  }

  boolean isCompleted() {
    return isCompleted.get();
  }

  boolean isLate(long nowNs) {
    return nowNs - deadlineNs >= 0;
  }

  void onResponse(StreamResponse response) {
    if (!isCompleted.compareAndSet(false, true)) {
      return;
    }
    A answer = method.answer(StreamCodec.answer(response));
    if (answer != null) {
      receiver.onAnswer(answer);
    } else if (response.hasError()) {
      receiver.onFailure(failure(response.getError()));
    } else {
      receiver.onFailure(
          new Failure(
              Status.Code.INTERNAL,
              "the server sent a response of another method",
              List.of(),
              true));
    }
  }

  private static Failure failure(StreamError error) {
    List<Any> details = new ArrayList<>();
    error.getDependenciesList().forEach(detail -> details.add(any("api.ModifyDep", detail)));
    error.getDenialsList().forEach(detail -> details.add(any("api.AuthzDep", detail)));
    if (error.hasFullQueue()) {
      details.add(any("entroq.v1.FullQueue", error.getFullQueue()));
    }
    return new Failure(
        Status.fromCodeValue(error.getCode()).getCode(), error.getMessage(), details, true);
  }

  private static Any any(String type, Message detail) {
    return Any.newBuilder().setTypeUrl(TYPE_URL + type).setValue(detail.toByteString()).build();
  }

  void fail(Status.Code code, String message, boolean isSent) {
    if (isCompleted.compareAndSet(false, true)) {
      receiver.onFailure(new Failure(code, message, List.of(), isSent));
    }
  }

  @Override
  public void cancel() {
    isCancelled = true;
    Exchange sentCall = call;
    RequestStream usedStream = stream;
    if (sentCall != null) {
      sentCall.cancel();
    } else if (usedStream != null) {
      usedStream.cancel(this);
    }
  }
}
