package io.entroq.client.transport;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;

/** Hears of a call that has one answer. */
final class UnaryListener<A> extends ClientCall.Listener<A> {
  private final Receiver<A> receiver;
  private final SentTracer tracer;
  private final Runnable onUnavailable;
  private A answer;

  UnaryListener(Receiver<A> receiver, SentTracer tracer, Runnable onUnavailable) {
    this.receiver = receiver;
    this.tracer = tracer;
    this.onUnavailable = onUnavailable;
  }

  @Override
  public void onMessage(A message) {
    answer = message;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (status.isOk() && answer != null) {
      receiver.onAnswer(answer);
      return;
    }
    Failure failure = Failures.of(status, trailers, tracer.isSent());
    if (failure.code() == Status.Code.UNAVAILABLE) {
      onUnavailable.run();
    }
    receiver.onFailure(failure);
  }
}
