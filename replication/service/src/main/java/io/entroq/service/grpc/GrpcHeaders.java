package io.entroq.service.grpc;

import io.entroq.service.call.Headers;
import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The headers of a gRPC call. */
record GrpcHeaders(Metadata metadata) implements Headers {
  @Override
  public Optional<String> first(String name) {
    return Optional.ofNullable(metadata.get(key(name)));
  }

  @Override
  public List<String> all(String name) {
    Iterable<String> found = metadata.getAll(key(name));
    if (found == null) {
      return List.of();
    }
    List<String> values = new ArrayList<>(1);
    found.forEach(values::add);
    return values;
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }
}
