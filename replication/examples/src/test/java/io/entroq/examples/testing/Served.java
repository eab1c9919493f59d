package io.entroq.examples.testing;

import io.entroq.api.EntroQ;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A queue in a directory, served over loopback, that may be stopped and started again. */
public final class Served implements AutoCloseable {
  /** Failures in these tests are intended, so their warnings are noise. */
  private static final Logger WORKERS = Logger.getLogger("io.entroq.api.worker.Worker");

  private final Path directory;
  private EmbeddedEntroQ engine;
  private GrpcServer server;
  private int port;

  /** Starts the server on a free port. */
  public Served(Path directory) throws IOException {
    this.directory = directory;
    WORKERS.setLevel(Level.OFF);
    start();
  }

  /** Restarts the server on the same port. */
  public void start() throws IOException {
    engine = EmbeddedEntroQ.open(EmbeddedConfig.in(directory).build());
    server = GrpcServer.start(engine.gateway(), GrpcServerConfig.on(port));
    port = server.port();
  }

  /** Closes all connections and stops the server. */
  public void stop() {
    server.close();
    engine.close();
  }

  /** The address for the examples. */
  public String address() {
    return "localhost:" + port;
  }

  /** A new client, as the examples use it. */
  public EntroQ connect() {
    return EntroQ.connect(address());
  }

  @Override
  public void close() {
    stop();
  }
}
