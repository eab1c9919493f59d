package io.entroq.server.service.grpc;

/**
 * What a server of gRPC is told.
 *
 * @param port 0: any that is free
 * @param messageBytesMax how long a request may be, and an answer that lists things, in bytes
 */
public record GrpcServerConfig(int port, int messageBytesMax) {
  /** The port that clients go to if they are not told another. */
  public static final int PORT_DEFAULT = 37_706;

  /** What clients and servers have agreed on, contract 1.1. */
  public static final int MESSAGE_BYTES_MAX_DEFAULT = 10 << 20;

  /** A server on a port, with defaults for the rest. */
  public static GrpcServerConfig on(int port) {
    return new GrpcServerConfig(port, MESSAGE_BYTES_MAX_DEFAULT);
  }
}
