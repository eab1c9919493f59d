package io.entroq.server.remote;

import io.entroq.api.worker.Backoff;
import io.entroq.client.EntroQClient;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A queue in a directory, served over loopback, that may be stopped and started again. */
public final class Served implements AutoCloseable {
  private final Path directory;
  private EmbeddedEntroQ engine;
  private GrpcServer server;
  private int port;

  /** Starts on a port that is free. */
  public Served(Path directory) throws IOException {
    this(directory, 0);
  }

  /** Starts on a port, in the place of another one that has ended. */
  Served(Path directory, int port) throws IOException {
    this.directory = directory;
    this.port = port;
    start();
  }

  /** Starts it, on the port that it had. */
  public void start() throws IOException {
    engine = EmbeddedEntroQ.open(EmbeddedConfig.in(directory).build());
    server = GrpcServer.start(engine.gateway(), GrpcServerConfig.on(port));
    port = server.port();
  }

  /** Cuts all connections and ends. */
  public void stop() {
    server.close();
    engine.close();
  }

  /** Ends as servers end that are told to. */
  void drainAndStop() {
    boolean unused = server.drain(Duration.ofSeconds(10));
    engine.close();
  }

  public int port() {
    return port;
  }

  int connections() {
    return server.connections();
  }

  int blockedClaims() {
    return server.blockedClaims();
  }

  /** The engine, to be asked behind the client's back. */
  public EmbeddedEntroQ engine() {
    return engine;
  }

  EntroQClient connect(Over over) {
    return connect(port, over);
  }

  /** A client that does not wait long before it asks again. */
  static EntroQClient connect(int port, Over over) {
    return EntroQClient.connect(
        over.to(port)
            .backoff(new Backoff(Duration.ofMillis(5), Duration.ofMillis(100), 0.5))
            .build());
  }

  @Override
  public void close() {
    stop();
  }
}
