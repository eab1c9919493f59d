package io.entroq.service.grpc;

import io.entroq.service.call.Protocol;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/**
 * Announces the served protocols and the release in the headers of every answer. An error, too, is
 * sent with headers before its trailers: clients look for the announcement only there.
 */
public final class ProtocolAnnouncer implements ServerInterceptor {
  private static final Metadata ANNOUNCEMENT = announcement();

  private static Metadata announcement() {
    Metadata headers = new Metadata();
    headers.put(key(Protocol.HEADER), Protocol.SERVED);
    headers.put(key(Protocol.RELEASE_HEADER), Protocol.RELEASE);
    return headers;
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  @Override
  public <Q, S> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, S> call, Metadata headers, ServerCallHandler<Q, S> next) {
    return next.startCall(new Announced<>(call), headers);
  }

  private static final class Announced<Q, S> extends SimpleForwardingServerCall<Q, S> {
    private volatile boolean hasHeaders;

    Announced(ServerCall<Q, S> call) {
      super(call);
    }

    @Override
    public void sendHeaders(Metadata headers) {
      hasHeaders = true;
      headers.merge(ANNOUNCEMENT);
      super.sendHeaders(headers);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      if (!hasHeaders) {
        sendHeaders(new Metadata());
      }
      super.close(status, trailers);
    }
  }
}
