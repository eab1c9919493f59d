package io.entroq.server.remote;

import io.entroq.api.worker.Backoff;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.server.service.grpc.GrpcServer;
import io.entroq.server.service.grpc.GrpcServerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A queue in a directory, served over loopback, that may be stopped and started again. */
final class Served implements AutoCloseable {
  private final Path directory;
  private EmbeddedEntroQ engine;
  private GrpcServer server;
  private int port;

  Served(Path directory) throws IOException {
    this.directory = directory;
    start();
  }

  /** Starts it, on the port that it had. */
  void start() throws IOException {
    engine = EmbeddedEntroQ.open(EmbeddedConfig.in(directory).build());
    server = GrpcServer.start(engine.gateway(), GrpcServerConfig.on(port));
    port = server.port();
  }

  /** Cuts all connections and ends. */
  void stop() {
    server.close();
    engine.close();
  }

  /** Ends as servers end that are told to. */
  void drainAndStop() {
    boolean unused = server.drain(Duration.ofSeconds(10));
    engine.close();
  }

  int port() {
    return port;
  }

  int blockedClaims() {
    return server.blockedClaims();
  }

  /** The engine, to be asked behind the client's back. */
  EmbeddedEntroQ engine() {
    return engine;
  }

  EntroQClient connect() {
    return connect(port);
  }

  /** A client that does not wait long before it asks again. */
  static EntroQClient connect(int port) {
    return EntroQClient.connect(
        ClientConfig.to("localhost:" + port)
            .backoff(new Backoff(Duration.ofMillis(5), Duration.ofMillis(100), 0.5))
            .build());
  }

  @Override
  public void close() {
    stop();
  }
}
