package io.entroq.jdbc;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.feed.Feeds;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.validation.ValidatedService;
import java.io.IOException;
import java.nio.file.Path;

/** A queue in a directory with its feed, served over loopback. */
final class ServedEngine implements AutoCloseable {
  private final EmbeddedEntroQ queue;
  private final Feeds feeds;
  private final GrpcServer server;

  ServedEngine(Path directory) throws IOException {
    queue = EmbeddedEntroQ.open(EmbeddedConfig.in(directory).build());
    feeds = new Feeds(queue.feed(), queue.gateway()::logId);
    server =
        GrpcServer.start(
            queue.gateway(),
            GrpcServerConfig.on(0),
            service -> new ValidatedService(feeds.before(service)));
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
    feeds.close();
    queue.close();
  }
}
