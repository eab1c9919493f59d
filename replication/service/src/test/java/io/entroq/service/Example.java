package io.entroq.service;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** What the page of this module shows. Not run, as the port may be taken. */
final class Example {
  private Example() {}

  static void serve(Runnable work) throws IOException {
    EmbeddedEntroQ queue = EmbeddedEntroQ.open(Path.of("data"));
    GrpcServer grpc = GrpcServer.start(queue.gateway(), GrpcServerConfig.on(37706));
    work.run();
    grpc.drain(Duration.ofSeconds(10)); // first the server,
    queue.close(); // then the engine
  }
}
