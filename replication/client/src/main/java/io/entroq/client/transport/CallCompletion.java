package io.entroq.client.transport;

import io.grpc.Metadata;
import io.grpc.Status;

/** Reports the outcome of a call to its endpoint. Created when the call starts. */
final class CallCompletion {
  private static final Metadata.Key<String> POSITION =
      Metadata.Key.of("entroq-position", Metadata.ASCII_STRING_MARSHALLER);

  private final Channels channels;
  private final Endpoint endpoint;
  private final int connection;

  CallCompletion(Channels channels, Endpoint endpoint) {
    this.channels = channels;
    this.endpoint = endpoint;
    connection = endpoint.connection();
  }

  /** Records the log position of the response. */
  void notePosition(Metadata trailers) {
    channels.notePosition(endpoint, position(trailers));
  }

  /** Records a response before the last one. */
  void noteResponse() {
    endpoint.noteResponse();
  }

  private static long position(Metadata trailers) {
    String text = trailers.get(POSITION);
    try {
      return text == null ? 0 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      // Not from an EntroQ server for the JVM.
      return 0;
    }
  }

  /**
   * Creates the failure of the call. An unavailable endpoint is reported to the channels.
   *
   * @param isSent whether the server may have seen the request
   */
  Failure failure(Status status, Metadata trailers, boolean isSent) {
    Failure failure = Failure.of(status, trailers, isSent);
    if (failure.code() == Status.Code.UNAVAILABLE) {
      channels.onUnavailable(endpoint, connection, failure);
    }
    return failure;
  }
}
