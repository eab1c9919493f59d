package io.entroq.client.transport;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;

/** Hears of a call that has one answer. */
final class UnaryListener<A> extends ClientCall.Listener<A> {
  private final Receiver<A> receiver;
  private final SentTracer tracer;
  private final CallEnd end;
  private A answer;

  /**
   * @param place where the call goes, of the channels
   */
  UnaryListener(Receiver<A> receiver, SentTracer tracer, Channels channels, Place place) {
    this.receiver = receiver;
    this.tracer = tracer;
    end = new CallEnd(channels, place);
  }

  @Override
  public void onMessage(A message) {
    answer = message;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    end.saw(trailers);
    if (status.isOk() && answer != null) {
      receiver.onAnswer(answer);
      return;
    }
    receiver.onFailure(end.failure(status, trailers, tracer.isSent()));
  }
}
