package io.entroq.service.stream;

import com.google.protobuf.MessageLite;
import io.entroq.codec.wire.edge.StreamError;
import io.entroq.codec.wire.edge.StreamResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;

/** A request from its arrival until its response has been sent. Any thread. */
final class OpenRequest<S extends MessageLite> implements Reply<S> {
  private final StreamSession session;
  private final long number;
  private final StreamedRequest<S> request;
  private long position;
  private Call call;
  private boolean isDelivered;
  private boolean isCancelled;

  OpenRequest(StreamSession session, long number, StreamedRequest<S> request) {
    this.session = session;
    this.number = number;
    this.request = request;
  }

  long number() {
    return number;
  }

  /** Whether it may {@link #begin} again and get the same response. */
  boolean isRepeatable() {
    return request.isRepeatable();
  }

  /** Starts the request; again only after a response that was {@link #delivered}. */
  void begin() {
    synchronized (this) {
      isDelivered = false;
      call = null;
    }
    Call begun = request.method().apply(this);
    boolean isEarly;
    boolean isLate;
    synchronized (this) {
      call = begun;
      isEarly = isDelivered;
      isLate = isCancelled;
    }
    if (isLate) {
      begun.cancel();
    } else if (isEarly) {
      begun.delivered();
    }
  }

  /** The client is gone. */
  void cancel() {
    Call begun;
    synchronized (this) {
      isCancelled = true;
      begun = call;
    }
    if (begun != null) {
      begun.cancel();
    }
  }

  /** The response has been sent, or dropped to be made again. */
  void delivered() {
    Call begun;
    synchronized (this) {
      isDelivered = true;
      begun = call;
    }
    if (begun != null) {
      begun.delivered();
    }
  }

  /** The client no longer wants to wait. */
  void withdraw() {
    Call begun;
    synchronized (this) {
      begun = call;
    }
    if (begun != null) {
      begun.withdraw();
    }
  }

  @Override
  public void position(long seen) {
    position = seen;
  }

  @Override
  public boolean hasRoom(long bytes) {
    // A repeatable response is dropped for now.
    return isRepeatable() || session.hasRoom(bytes);
  }

  @Override
  public void send(S response) {
    session.answer(this, position, request.field(), response);
  }

  @Override
  public void fail(Refusal refusal) {
    StreamError.Builder error =
        StreamError.newBuilder()
            .setCode(refusal.code().value())
            .setMessage(refusal.message())
            .addAllDependencies(refusal.dependencies())
            .addAllDenials(refusal.denials());
    refusal.fullQueue().ifPresent(error::setFullQueue);
    session.answer(this, position, StreamResponse.ERROR_FIELD_NUMBER, error.build());
  }
}
