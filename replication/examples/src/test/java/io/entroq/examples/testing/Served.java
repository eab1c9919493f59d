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
  /** What goes wrong in these tests is meant to; what comes of it is checked. */
  private static final Logger WORKERS = Logger.getLogger("io.entroq.api.worker.Worker");

  private final Path directory;
  private EmbeddedEntroQ engine;
  private GrpcServer server;
  private int port;

  /** Starts it, on a port that the system chooses. */
  public Served(Path directory) throws IOException {
    this.directory = directory;
    WORKERS.setLevel(Level.OFF);
    start();
  }

  /** Starts it again, on the port that it had. */
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

  /** What the examples connect to. */
  public String address() {
    return "localhost:" + port;
  }

  /** A client of its own, as examples have it. */
  public EntroQ connect() {
    return EntroQ.connect(address());
  }

  @Override
  public void close() {
    stop();
  }
}
