package io.entroq.client.transport;

import io.grpc.Metadata;
import io.grpc.Status;

/** What the end of a call says of the place that it went to. Made when the call begins. */
final class CallCompletion {
  private static final Metadata.Key<String> POSITION =
      Metadata.Key.of("entroq-position", Metadata.ASCII_STRING_MARSHALLER);

  private final Channels channels;
  private final Endpoint endpoint;
  private final int connection;

  /**
   * @param endpoint of the channels
   */
  CallCompletion(Channels channels, Endpoint endpoint) {
    this.channels = channels;
    this.endpoint = endpoint;
    connection = endpoint.connection();
  }

  /** Takes note of how far the log had come. */
  void notePosition(Metadata trailers) {
    channels.notePosition(endpoint, position(trailers));
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

  /**
   * Makes a failure of it, by which the place may turn out to be left.
   *
   * @param isSent whether the server may have seen the request
   */
  Failure failure(Status status, Metadata trailers, boolean isSent) {
    Failure failure = Failures.of(status, trailers, isSent);
    if (failure.code() == Status.Code.UNAVAILABLE) {
      channels.leave(endpoint, connection, failure);
    }
    return failure;
  }
}
