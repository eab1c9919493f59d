package io.entroq.service.grpc;

import io.entroq.service.call.Headers;
import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The headers of a gRPC call. */
record GrpcHeaders(Metadata metadata) implements Headers {
  /** By name; to make one takes longer than to find its value. The product knows few names. */
  private static final Map<String, Metadata.Key<String>> KEYS = new ConcurrentHashMap<>();

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
    return KEYS.computeIfAbsent(
        name, added -> Metadata.Key.of(added, Metadata.ASCII_STRING_MARSHALLER));
  }
}
