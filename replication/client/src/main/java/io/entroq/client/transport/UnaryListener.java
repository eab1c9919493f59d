package io.entroq.client.transport;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;

/** Hears of a call that has one answer. */
final class UnaryListener<A> extends ClientCall.Listener<A> {
  private static final Metadata.Key<String> POSITION =
      Metadata.Key.of("entroq-position", Metadata.ASCII_STRING_MARSHALLER);

  private final Receiver<A> receiver;
  private final SentTracer tracer;
  private final Channels channels;
  private final Place place;
  private final int connection;
  private A answer;

  /**
   * @param place where the call goes, of the channels
   */
  UnaryListener(Receiver<A> receiver, SentTracer tracer, Channels channels, Place place) {
    this.receiver = receiver;
    this.tracer = tracer;
    this.channels = channels;
    this.place = place;
    connection = place.connection();
  }

  @Override
  public void onMessage(A message) {
    answer = message;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    channels.saw(place, position(trailers));
    if (status.isOk() && answer != null) {
      receiver.onAnswer(answer);
      return;
    }
    Failure failure = Failures.of(status, trailers, tracer.isSent());
    if (failure.code() == Status.Code.UNAVAILABLE) {
      channels.leave(place, connection, failure);
    }
    receiver.onFailure(failure);
  }

  private static long position(Metadata trailers) {
    String text = trailers.get(POSITION);
    try {
      return text == null ? 0 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      // Not one of ours: then it is of no use here.
      return 0;
    }
  }
}
