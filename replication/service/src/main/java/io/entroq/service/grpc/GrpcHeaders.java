package io.entroq.service.grpc;

import io.entroq.service.call.Headers;
import io.grpc.Metadata;
import java.util.Optional;

/** The headers of a gRPC call. */
record GrpcHeaders(Metadata metadata) implements Headers {
  @Override
  public Optional<String> first(String name) {
    return Optional.ofNullable(
        metadata.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
  }
}
