package io.entroq.server.remote;

import io.entroq.api.EntroQ;
import io.entroq.api.conformance.EntroQConformance;
import io.entroq.api.conformance.QueueUnderTest;
import io.entroq.client.EntroQClient;
import io.entroq.cluster.member.Liveness;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What every EntroQ does alike, by three served members, for a client that knows all of them. */
@ParameterizedClass
@EnumSource(Over.class)
@Tag("long")
class ServedClusterConformanceIT extends EntroQConformance {
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(1);

  @TempDir static Path directory;

  /** By how many tasks a queue may have; one is started when it is needed first. */
  private static final Map<Long, ConformanceCluster> RUNNING = new HashMap<>();

  @Parameter Over over;

  @AfterAll
  static void stop() {
    RUNNING.values().forEach(ConformanceCluster::close);
    RUNNING.clear();
  }

  @Override
  protected QueueUnderTest open(long queueTasksMax) throws IOException {
    ConformanceCluster running = RUNNING.get(queueTasksMax);
    if (running == null) {
      running =
          new ConformanceCluster(
              directory.resolve("limit-" + queueTasksMax), queueTasksMax, Liveness.DEFAULT);
      // All have their sessions and follow, so that none needs a clock that goes.
      running.clock().stop();
      RUNNING.put(queueTasksMax, running);
    }
    return new Remote(running, over);
  }

  private static final class Remote implements QueueUnderTest {
    private final ConformanceCluster running;
    private final EntroQClient client;

    Remote(ConformanceCluster running, Over over) {
      this.running = running;
      client = running.connect(over, CALL_TIMEOUT);
      ConformanceCluster.clear(client);
    }

    @Override
    public EntroQ queue() {
      return client;
    }

    @Override
    public void advance(Duration duration) {
      running.clock().advance(duration.toMillis());
    }

    /** The cluster goes on, for the next test, without a claim of this one. */
    @Override
    public void close() {
      client.close();
      running.members().awaitNobodyWaiting();
    }
  }
}
