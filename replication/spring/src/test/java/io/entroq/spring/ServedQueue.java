package io.entroq.spring;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.validation.ValidatedService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A server in this process, on loopback. */
final class ServedQueue implements AutoCloseable {
  private final EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
  private final GrpcServer server;

  /**
   * @param port 0 for any
   */
  ServedQueue(int port) throws IOException {
    server = GrpcServer.start(queue.gateway(), GrpcServerConfig.on(port), ValidatedService::new);
  }

  /** A port at which nobody listens. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  EmbeddedEntroQ queue() {
    return queue;
  }

  String address() {
    return "localhost:" + server.port();
  }

  @Override
  public void close() {
    server.close();
    queue.close();
  }
}
