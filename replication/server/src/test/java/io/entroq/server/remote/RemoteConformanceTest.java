package io.entroq.server.remote;

import io.entroq.api.EntroQ;
import io.entroq.api.conformance.EntroQConformance;
import io.entroq.api.conformance.Hold;
import io.entroq.api.conformance.QueueUnderTest;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.embedded.TestEntroQ;
import io.entroq.engine.time.LogClock;
import io.entroq.engine.time.ManualClock;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What every EntroQ does alike, by the one behind a server, over a stream. */
class RemoteConformanceTest extends EntroQConformance {
  @Override
  protected QueueUnderTest open(long queueTasksMax) throws IOException {
    return new Remote(queueTasksMax, isStreaming());
  }

  /** Whether requests share a stream. */
  boolean isStreaming() {
    return true;
  }

  private static final class Remote implements QueueUnderTest {
    private final ManualClock clock = new ManualClock(TestEntroQ.START);
    private final Hold hold = new Hold();
    private final EmbeddedEntroQ engine;
    private final GrpcServer server;
    private final EntroQClient client;

    Remote(long queueTasksMax, boolean isStreaming) throws IOException {
      engine =
          EmbeddedEntroQ.open(
              EmbeddedConfig.inMemory()
                  .clock(hold.before("nowMs", LogClock.class, clock))
                  .queueTasksMax(queueTasksMax)
                  .build());
      server = GrpcServer.start(engine.gateway(), GrpcServerConfig.on(0));
      client =
          EntroQClient.connect(
              ClientConfig.to("localhost:" + server.port())
                  .streaming(isStreaming)
                  .nanoClock(() -> TimeUnit.MILLISECONDS.toNanos(clock.nowMs()))
                  .build());
    }

    @Override
    public EntroQ queue() {
      return client;
    }

    @Override
    public void advance(Duration duration) {
      clock.advance(duration);
      engine.time();
    }

    @Override
    public boolean hold() {
      hold.begin();
      return true;
    }

    @Override
    public void goOn() {
      hold.end();
    }

    @Override
    public void close() {
      client.close();
      server.close();
      engine.close();
    }
  }
}
