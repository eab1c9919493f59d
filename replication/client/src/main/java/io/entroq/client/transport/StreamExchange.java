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

/** A request that goes over a stream, or by a call of its own if that does not take it. */
final class StreamExchange<Q extends Message, A extends Message> implements Exchange {
  private static final String TYPE_URL = "type.googleapis.com/api.";

  private final Method<Q, A> method;
  private final Q request;
  private final long deadlineNs;
  private final Receiver<A> receiver;

  /** Whether nobody is to be told of it any more from here. */
  private final AtomicBoolean isCompleted = new AtomicBoolean();

  private volatile RequestStream stream;
  private volatile Exchange call;
  private volatile boolean isCancelled;

  /** Its number on the stream; 0 until it is sent. In the stream's lock. */
  private int number;

  /**
   * @param deadlineNs when it ends with DEADLINE_EXCEEDED, by {@link System#nanoTime}
   */
  StreamExchange(Method<Q, A> method, Q request, long deadlineNs, Receiver<A> receiver) {
    this.method = method;
    this.request = request;
    this.deadlineNs = deadlineNs;
    this.receiver = receiver;
  }

  /** It is on its way over a stream. */
  void over(RequestStream newStream) {
    stream = newStream;
  }

  /** It goes by a call of its own. */
  void over(UnaryTransport calls, long nowNs) {
    if (!isCompleted.compareAndSet(false, true)) {
      return;
    }
    long remainingMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - nowNs);
    Exchange begun = calls.send(method, request, Math.max(1, remainingMs), receiver);
    call = begun;
    // Whoever has cancelled it meanwhile has seen the call, or is seen here.
    if (isCancelled) {
      begun.cancel();
    }
  }

  int number() {
    return number;
  }

  /** As it is sent. */
  StreamRequest.Builder sentAs(int newNumber) {
    number = newNumber;
    return StreamCodec.of(method, request).setNumber(newNumber);
  }

  int bytes() {
    return request.getSerializedSize();
  }

  /** Whether it waits at the server, which answers it also when it is cancelled. */
  boolean isWaiting() {
    return method == Method.CLAIM;
  }

  /** Whether nobody wants to hear of it any more. */
  boolean isCompleted() {
    return isCompleted.get();
  }

  boolean isLate(long nowNs) {
    return nowNs - deadlineNs >= 0;
  }

  /** The server has answered. */
  void tell(StreamResponse response) {
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
              Status.Code.INTERNAL, "the server has not answered what was asked", List.of(), true));
    }
  }

  private static Failure failure(StreamError error) {
    List<Any> details = new ArrayList<>();
    error.getDependenciesList().forEach(detail -> details.add(any("ModifyDep", detail)));
    error.getDenialsList().forEach(detail -> details.add(any("AuthzDep", detail)));
    return new Failure(
        Status.fromCodeValue(error.getCode()).getCode(), error.getMessage(), details, true);
  }

  private static Any any(String type, Message detail) {
    return Any.newBuilder().setTypeUrl(TYPE_URL + type).setValue(detail.toByteString()).build();
  }

  /** There is no answer. */
  void fail(Status.Code code, String message, boolean isSent) {
    if (isCompleted.compareAndSet(false, true)) {
      receiver.onFailure(new Failure(code, message, List.of(), isSent));
    }
  }

  @Override
  public void cancel() {
    isCancelled = true;
    Exchange begun = call;
    RequestStream over = stream;
    if (begun != null) {
      begun.cancel();
    } else if (over != null) {
      over.cancel(this);
    }
  }
}
