package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.server.cli.ClusterProcess;
import io.entroq.server.cli.ServerProcess;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rates and limits of tasks in flight, which hold to the task and the millisecond of log time while
 * servers are killed and leaders change.
 */
class KilledLimitsIT {
  private static final int STARTS_MAX = 60;

  @TempDir Path directory;

  private final long seed = Long.getLong("test.seed", new SplittableRandom().nextLong());
  private final SplittableRandom random = new SplittableRandom(seed);

  @BeforeEach
  void printSeed() {
    System.out.println("KilledLimitsIT -Dtest.seed=" + seed);
  }

  @Test
  void shouldKeepLimitsWhenTheServerIsKilled() throws Exception {
    killServer(1);
  }

  @Test
  @Tag("long")
  @Timeout(1_200)
  void shouldKeepLimitsHoweverOftenTheServerIsKilled() throws Exception {
    killServer(Integer.getInteger("test.kills", 60));
  }

  private void killServer(int times) throws Exception {
    ServerProcess server = ServerProcess.start(0, "--data", directory.toString());
    int port = server.port();
    try (LimitedLoad load = new LimitedLoad("localhost:" + port, seed)) {
      for (int i = 0; i < times; i++) {
        awaitSome(load);
        server.close();
        server = ServerProcess.start(port, "--data", directory.toString());
        load.checkMemory();
      }
      awaitSome(load);
      load.end();
    } finally {
      server.close();
    }
  }

  private void awaitSome(LimitedLoad load) {
    load.awaitStarts(random.nextInt(1, STARTS_MAX));
  }

  @Test
  @Tag("long")
  @Timeout(1_200)
  void shouldKeepLimitsWhenLeadersAreKilled() throws Exception {
    Path data = directory.resolve("cluster");
    try (ClusterProcess cluster = ClusterProcess.start(data)) {
      int leader = cluster.awaitReady();
      String servers =
          IntStream.range(0, 3)
              .mapToObj(id -> "127.0.0.1:" + cluster.port(id))
              .collect(Collectors.joining(","));
      try (LimitedLoad load = new LimitedLoad(servers, seed)) {
        for (int i = 0; i < Integer.getInteger("test.kills", 15); i++) {
          awaitSome(load);
          ProcessHandle killed = cluster.member(leader);
          assertThat(killed.destroyForcibly()).isTrue();
          until("it has ended", () -> !killed.isAlive());
          awaitSome(load);
          leader = cluster.awaitReady();
          load.checkMemory();
        }
        awaitSome(load);
        load.end();
      }
      cluster.terminate();
      assertThat(cluster.awaitEnd()).isEqualTo(143);
    }
  }
}
