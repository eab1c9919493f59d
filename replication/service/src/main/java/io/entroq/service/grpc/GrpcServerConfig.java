package io.entroq.service.grpc;

import io.entroq.service.limit.Limit;
import io.entroq.service.tls.ServerTls;
import java.util.Optional;

/**
 * The configuration of a gRPC server.
 *
 * @param host the address to listen on; empty: all
 * @param port 0: any free port
 * @param messageBytesMax bytes of a request, and of a listing in one response
 * @param bounds further limits
 * @param tls empty: no TLS
 */
public record GrpcServerConfig(
    Optional<String> host,
    int port,
    int messageBytesMax,
    GrpcLimits bounds,
    Optional<ServerTls> tls) {
  /** The port that clients use by default. */
  public static final int PORT_DEFAULT = 37_706;

  /** The limit that clients expect (contract 1.1). */
  public static final int MESSAGE_BYTES_MAX_DEFAULT = Limit.MESSAGE_BYTES.standard();

  /** A server on a port, with defaults for the rest. */
  public static GrpcServerConfig on(int port) {
    return on(port, MESSAGE_BYTES_MAX_DEFAULT, GrpcLimits.DEFAULT);
  }

  /** A server on a port of all addresses, without TLS. */
  public static GrpcServerConfig on(int port, int messageBytesMax, GrpcLimits bounds) {
    return new GrpcServerConfig(Optional.empty(), port, messageBytesMax, bounds, Optional.empty());
  }
}
