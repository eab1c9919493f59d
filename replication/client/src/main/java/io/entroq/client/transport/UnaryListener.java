package io.entroq.client.transport;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;

/** Receives the response of a unary call. */
final class UnaryListener<A> extends ClientCall.Listener<A> {
  private final Receiver<A> receiver;
  private final SentTracer tracer;
  private final CallCompletion end;
  private A answer;

  /**
   * @param endpoint of the call, one of the channels' endpoints
   */
  UnaryListener(Receiver<A> receiver, SentTracer tracer, Channels channels, Endpoint endpoint) {
    this.receiver = receiver;
    this.tracer = tracer;
    end = new CallCompletion(channels, endpoint);
  }

  @Override
  public void onMessage(A message) {
    answer = message;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    end.notePosition(trailers);
    if (status.isOk() && answer != null) {
      receiver.onAnswer(answer);
      return;
    }
    receiver.onFailure(end.failure(status, trailers, tracer.isSent()));
  }
}
