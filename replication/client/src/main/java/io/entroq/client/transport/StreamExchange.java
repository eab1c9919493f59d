package io.entroq.client.transport;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.StreamError;
import io.entroq.codec.wire.edge.StreamRequest;
import io.entroq.codec.wire.edge.StreamResponse;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request that goes over a stream. Any thread. */
final class StreamExchange<A extends Message> implements Exchange {
  private static final String TYPE_URL = "type.googleapis.com/api.";

  private final Method<?, A> method;
  private final Message request;
  private final long deadlineNs;
  private final Receiver<A> receiver;
  private final AtomicBoolean isTold = new AtomicBoolean();
  private volatile RequestStream stream;

  /** Its number on the stream; 0 until it is sent. In the stream's lock. */
  private long number;

  /**
   * @param deadlineNs when it ends with DEADLINE_EXCEEDED, by {@link System#nanoTime}
   */
  StreamExchange(Method<?, A> method, Message request, long deadlineNs, Receiver<A> receiver) {
    this.method = method;
    this.request = request;
    this.deadlineNs = deadlineNs;
    this.receiver = receiver;
  }

  /** It is on its way over a stream. */
  void over(RequestStream newStream) {
    stream = newStream;
  }

  long number() {
    return number;
  }

  /** As it is sent. */
  StreamRequest.Builder sentAs(long newNumber) {
    number = newNumber;
    return StreamForm.of(method, request).setNumber(newNumber);
  }

  int bytes() {
    return request.getSerializedSize();
  }

  /** Whether it waits at the server, which answers it also when it is cancelled. */
  boolean isWaiting() {
    return method == Method.CLAIM;
  }

  /** Whether nobody wants to hear of it any more. */
  boolean isTold() {
    return isTold.get();
  }

  boolean isLate(long nowNs) {
    return nowNs - deadlineNs >= 0;
  }

  /** The server has answered. */
  void tell(StreamResponse response) {
    if (!isTold.compareAndSet(false, true)) {
      return;
    }
    Message answer = StreamForm.answer(response);
    if (answer != null) {
      receiver.onAnswer(answer(answer));
    } else if (response.hasError()) {
      receiver.onFailure(failure(response.getError()));
    } else {
      receiver.onFailure(
          new Failure(Status.Code.INTERNAL, "the server has not answered", List.of(), true));
    }
  }

  @SuppressWarnings("unchecked")
  private A answer(Message answer) {
    // A server answers each request by the response of its method.
    return (A) answer;
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
    if (isTold.compareAndSet(false, true)) {
      receiver.onFailure(new Failure(code, message, List.of(), isSent));
    }
  }

  @Override
  public void cancel() {
    RequestStream over = stream;
    if (over != null) {
      over.cancel(this);
    }
  }
}
