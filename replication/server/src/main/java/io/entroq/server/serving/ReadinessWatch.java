package io.entroq.server.serving;

import io.entroq.server.service.grpc.GrpcServer;
import io.entroq.server.service.http.Health;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Lets callers over gRPC, who are told when something changes, know whether to come. */
final class ReadinessWatch implements AutoCloseable {
  private static final long LOOK_MS = 100;

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(ReadinessWatch::thread);

  private ReadinessWatch() {}

  /** Begins; what is told first is told before this returns. */
  static ReadinessWatch start(Health health, GrpcServer server) {
    ReadinessWatch watch = new ReadinessWatch();
    server.tellReady(health.unreadyBecause().isEmpty());
    var unused =
        watch.clock.scheduleWithFixedDelay(
            () -> server.tellReady(health.unreadyBecause().isEmpty()),
            LOOK_MS,
            LOOK_MS,
            TimeUnit.MILLISECONDS);
    return watch;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-readiness");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
