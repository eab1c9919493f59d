package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.WireClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterCommandIT {
  @TempDir private Path temporary;

  @Test
  void shouldContinueWithoutLeaderAndRestartIt() throws Exception {
    try (ClusterProcess cluster = start()) {
      int leader = cluster.awaitReady();
      int follower = (leader + 1) % 3;
      int other = (leader + 2) % 3;
      try (WireClient client = new WireClient(cluster.port(follower))) {
        new V1(client).insert("inbox", "t");
      }
      assertThat(cluster.member(leader).destroyForcibly()).isTrue();
      try (WireClient client = new WireClient(cluster.port(other))) {
        assertThat(new V1(client).claim(V1.claim("me", "inbox").build()).getTask().getId())
            .isEqualTo("t");
      }
      String lost = "Member %d, process ".formatted(leader);
      assertThat(cluster.awaitLine(line -> line.startsWith(lost)))
          .contains("exited with status 137; restarting in ");
      assertThat(cluster.awaitReady()).isNotEqualTo(leader);
      List<ProcessHandle> members = cluster.members();
      assertThat(members).hasSize(3);
      cluster.terminate();
      assertThat(cluster.awaitEnd()).isEqualTo(143);
      assertThat(members).noneMatch(ProcessHandle::isAlive);
    }
  }

  @Test
  @Tag("long")
  void shouldContinueWithItsDataAndAlwaysEndItsMembers() throws Exception {
    Path data = temporary.resolve("data");
    Path drivers = temporary.resolve("drivers");
    int port;
    try (ClusterProcess cluster = start("driver-directory: " + drivers)) {
      cluster.awaitReady();
      try (Stream<Path> each = Files.list(drivers)) {
        assertThat(each).hasSize(3);
      }
      port = cluster.port(0);
      try (WireClient client = new WireClient(port)) {
        new V1(client).insert("inbox", "t");
      }
      Cli.run("cluster", "--data", data).assertFailed("is in use by process ");
      List<ProcessHandle> members = cluster.members();
      cluster.kill();
      for (ProcessHandle member : members) {
        member.onExit().get(30, TimeUnit.SECONDS);
      }
    }
    try (ClusterProcess cluster = start()) {
      cluster.awaitReady();
      assertThat(cluster.port(0)).isEqualTo(port);
      try (WireClient client = new WireClient(port)) {
        assertThat(new V1(client).task("t").getQueue()).isEqualTo("inbox");
      }
      cluster.terminate();
      cluster.awaitEnd();
    }
  }

  /** By then the others have dropped it, and its clients must learn that soon. */
  @Test
  @Tag("long")
  void shouldSoonEndMemberThatStalledTooLong() throws Exception {
    try (ClusterProcess cluster = start("process-timeout: 2s")) {
      int leader = cluster.awaitReady();
      for (int id : new int[] {(leader + 1) % 3, leader}) {
        ProcessHandle member = cluster.member(id);
        signal("-STOP", member);
        TimeUnit.SECONDS.sleep(4);
        signal("-CONT", member);
        long beganNs = System.nanoTime();
        member.onExit().get(30, TimeUnit.SECONDS);
        // Less than its parts would wait for each other; about a second on an idle machine.
        assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(Duration.ofSeconds(8));
        cluster.awaitReady();
      }
      cluster.terminate();
      cluster.awaitEnd();
    }
  }

  private static void signal(String name, ProcessHandle process) throws Exception {
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", name, pid).start().waitFor()).isZero();
  }

  @Test
  void shouldReportInvalidOptions() throws Exception {
    Path data = temporary.resolve("data");
    Cli.run("cluster").assertMisused("Missing required option: '--data");
    Cli.run("cluster", "--data", data, "--members", "4").assertMisused("must be 3, 5 or 7, is 4");
    Cli.run("cluster", "--data", data, "--port", "0").assertMisused("--port must be from 1 to");
    Cli.run("cluster", "--data", data, "--heap", "1").assertMisused("--heap must be from 64 to");
    Path config = Files.writeString(temporary.resolve("entroq.yml"), "driver: somewhere\n");
    Cli.run("cluster", "--data", data, "--config", config)
        .assertMisused("entroq.yml:1: driver: unknown setting");
    assertThat(data).doesNotExist();
  }

  private ClusterProcess start(String... settings) throws Exception {
    String lines = "durability: os\n" + String.join("\n", settings);
    Path config = Files.writeString(temporary.resolve("entroq.yml"), lines);
    return ClusterProcess.start(temporary.resolve("data"), "--config", config.toString());
  }
}
