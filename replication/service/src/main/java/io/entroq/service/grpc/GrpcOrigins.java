package io.entroq.service.grpc;

import io.entroq.service.limit.Origin;
import io.entroq.service.limit.Origins;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerCall;
import io.grpc.ServerTransportFilter;

/** Attaches its origin to each connection. Any thread. */
final class GrpcOrigins extends ServerTransportFilter {
  private static final Attributes.Key<Origin> ORIGIN = Attributes.Key.create("entroq-origin");

  private final Origins addresses;

  GrpcOrigins(Origins addresses) {
    this.addresses = addresses;
  }

  static Origin of(ServerCall<?, ?> call) {
    Origin origin = call.getAttributes().get(ORIGIN);
    return origin == null ? Origin.NONE : origin;
  }

  static Attributes with(Attributes connection, Origin origin) {
    return connection.toBuilder().set(ORIGIN, origin).build();
  }

  @Override
  public Attributes transportReady(Attributes connection) {
    Origin address = addresses.enter(connection.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
    return with(connection, address.connection());
  }

  @Override
  public void transportTerminated(Attributes connection) {
    if (connection != null && connection.get(ORIGIN) != null) {
      addresses.leave(connection.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
    }
  }
}
