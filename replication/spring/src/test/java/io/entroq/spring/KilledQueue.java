package io.entroq.spring;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.validation.ValidatedService;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A server of a queue, as a process that is killed. */
final class KilledQueue {
  private KilledQueue() {}

  /**
   * @param args a directory and a port
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.in(Path.of(args[0])).build());
    GrpcServer server =
        GrpcServer.start(
            queue.gateway(), GrpcServerConfig.on(Integer.parseInt(args[1])), ValidatedService::new);
    System.out.println("serves on port " + server.port());
    new CountDownLatch(1).await();
  }
}
