package io.entroq.server.cli.admin;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.client.ClientConfig;
import io.entroq.client.PieceStream;
import io.entroq.codec.wire.published.admin.ImageBegin;
import io.entroq.codec.wire.published.admin.ImageResponse;
import io.entroq.server.cli.Cli;
import io.entroq.tools.terminal.CommandException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operator commands on a cluster, and the replacement of a member that lost its disk. */
@Timeout(180)
class AdminCommandIT {
  private static final int MEMBERS = 3;

  @TempDir private Path directory;

  @Test
  void shouldShowStatusAndTakeSnapshot() throws Exception {
    try (ServedCluster cluster = new ServedCluster(directory, 1)) {
      awaitMajority(cluster, "1 of 1");
      insert(cluster, "one");
      assertThat(Cli.run("status", "-s", cluster.addresses()).assertGood().out())
          .contains("member      0 of 1", "leads, term 0", "snapshot    none yet", "level 11");
      assertThat(Cli.run("snapshot", "-s", cluster.addresses()).assertGood().out())
          .matches("Member 0 took a snapshot in [\\d,]+ ms: at .* old.*\n");
      // The state is written beside the commands, on a busy machine a little later.
      until(
          "the state is written",
          () -> status(cluster, 0).get("snapshot").get("bytes").asLong() > 0);
      assertThat(Cli.run("status", "-s", cluster.addresses()).assertGood().out())
          .containsPattern("snapshot    at .* bytes, commands waited ");
      JsonNode status = status(cluster, 0);
      assertThat(status.get("snapshots").asInt()).isEqualTo(1);
      assertThat(status.get("snapshot").get("bytes").asLong()).isPositive();
      assertThat(status.get("durability").asText()).isEqualTo("os");
      Cli.run("status", "-s", cluster.address(0) + ",127.0.0.1:1").assertMisused("give one member");
      assertThat(Cli.run("members", "-s", "127.0.0.1:1").out())
          .contains("does not answer", "No member answers.");
    }
  }

  @Test
  void shouldSendImageFromAnOffset() throws Exception {
    try (ServedCluster cluster = new ServedCluster(directory, 1)) {
      awaitMajority(cluster, "1 of 1");
      insert(cluster, "x".repeat(100_000));
      Cli.run("snapshot", "-s", cluster.addresses()).assertGood();
      long position = status(cluster, 0).get("snapshot").get("position").asLong();
      byte[] state = imageFrom(cluster, position, 0);
      assertThat(state).hasSizeGreaterThan(100_000);
      assertThat(imageFrom(cluster, position, 50_000))
          .isEqualTo(Arrays.copyOfRange(state, 50_000, state.length));
      assertThatThrownBy(() -> imageFrom(cluster, position + 1, 0))
          .isInstanceOf(EntroQException.class)
          .hasMessageContaining("no image of the snapshot at " + (position + 1));
      assertThatThrownBy(() -> imageFrom(cluster, position, -1))
          .isInstanceOf(EntroQException.InvalidArgument.class);
    }
  }

  private static byte[] imageFrom(ServedCluster cluster, long position, long offset) {
    ByteArrayOutputStream state = new ByteArrayOutputStream();
    try (AdminClient client = AdminClient.of(ClientConfig.to(cluster.address(0)).build());
        PieceStream<ImageResponse> pieces = client.image(position, offset, 30_000)) {
      ImageBegin begin = pieces.next().orElseThrow().getBegin();
      assertThat(begin.getWhole()).isFalse();
      assertThat(begin.getManifest().toStringUtf8()).startsWith("entroq-snapshot ");
      for (var piece = pieces.next(); piece.isPresent(); piece = pieces.next()) {
        state.writeBytes(piece.get().getData().toByteArray());
      }
    }
    return state.toByteArray();
  }

  @Test
  @Tag("long")
  void shouldReplaceLostMember() throws Exception {
    try (ServedCluster cluster = new ServedCluster(directory, MEMBERS)) {
      awaitMajority(cluster, "3 of 3");
      insert(cluster, "before");
      int leader = leader(cluster);
      int lost = (leader + 1) % MEMBERS;
      int other = (leader + 2) % MEMBERS;

      Cli.run("snapshot", "-s", cluster.address(lost))
          .assertFailed("does not lead; member " + leader + " at 127.0.0.1 does");
      assertThat(Cli.run("snapshot", "-s", cluster.addresses()).assertGood().out())
          .startsWith("Member " + leader + " took a snapshot");
      insert(cluster, "after the snapshot");
      replace(cluster, lost, leader, other, lost).assertFailed("answers; it is not lost");

      lose(cluster, lost);
      assertThat(Cli.run("members", "-s", cluster.addresses()).out())
          .contains("does not answer", "2 of 3 members follow it")
          .doesNotContain("no majority");
      assertThatThrownBy(() -> cluster.start(lost, false))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("There is no member");
      replace(cluster, lost, other).assertFailed("a majority is needed");
      replace(cluster, lost, leader, other).assertGood();
      replace(cluster, lost, leader, other).assertFailed("is not empty");
      cluster.start(lost, false);
      awaitAgreement(cluster);

      // The replaced member counts: without another one, the two continue with all earlier data.
      cluster.stop(other);
      until("two have a leader", () -> isMajority(cluster));
      insert(cluster, "with the one that was replaced");
      assertThat(Cli.run("qs", "-s", cluster.address(lost)).assertGood().out())
          .contains("inbox", "3");
      cluster.stop(leader);
      assertThat(Cli.run("members", "-s", cluster.addresses()).status()).isEqualTo(1);
    }
  }

  @Test
  @Tag("long")
  void shouldReplaceMemberFromLogAloneAfterElection() throws Exception {
    try (ServedCluster cluster = new ServedCluster(directory, MEMBERS)) {
      awaitMajority(cluster, "3 of 3");
      insert(cluster, "in the first term");
      int lost = leader(cluster);
      lose(cluster, lost);
      until("two have a leader", () -> isMajority(cluster));
      insert(cluster, "in the second term");
      int[] others = {(lost + 1) % MEMBERS, (lost + 2) % MEMBERS};
      Files.createDirectories(cluster.data(lost));
      Files.createFile(cluster.data(lost).resolve("replacing"));
      // Like a directory whose replacement was interrupted.
      assertThatThrownBy(() -> cluster.start(lost, true))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("is incomplete");
      replace(cluster, lost, others).assertGood();
      cluster.start(lost, false);
      awaitAgreement(cluster);
    }
  }

  /** Simulates the loss of a disk. */
  private static void lose(ServedCluster cluster, int id) throws IOException {
    cluster.stop(id);
    delete(cluster.data(id));
  }

  private static Cli replace(ServedCluster cluster, int lost, int... asked) {
    return Cli.run(
        "replace-member",
        "--id",
        lost,
        "--members",
        cluster.members(),
        "--data",
        cluster.data(lost),
        "-s",
        cluster.addresses(asked));
  }

  private static void insert(ServedCluster cluster, String value) {
    Cli.run("ins", "-s", cluster.addresses(), "-q", "inbox", "-v", "\"" + value + "\"")
        .assertGood();
  }

  private static void awaitMajority(ServedCluster cluster, String who) {
    until(
        "all have a leader",
        () ->
            Cli.run("members", "-s", cluster.addresses())
                .out()
                .contains(who + " members follow it"));
  }

  private static boolean isMajority(ServedCluster cluster) {
    return Cli.run("members", "-s", cluster.addresses()).status() != 1;
  }

  /** Waits until all members have applied the same and have the same state. */
  private static void awaitAgreement(ServedCluster cluster) {
    until("all have applied the same", () -> states(cluster).distinct().count() == 1);
  }

  private static Stream<JsonNode> states(ServedCluster cluster) {
    List<JsonNode> lines = Cli.run("members", "--json", "-s", cluster.addresses()).lines();
    return lines.stream().map(line -> line.path("state"));
  }

  private static int leader(ServedCluster cluster) {
    return status(cluster, 0).get("leader").asInt();
  }

  private static JsonNode status(ServedCluster cluster, int id) {
    return Cli.run("status", "--json", "-s", cluster.address(id)).assertGood().json();
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> entries = Files.walk(tree)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(entry);
      }
    }
  }
}
