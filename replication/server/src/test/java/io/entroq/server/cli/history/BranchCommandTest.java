package io.entroq.server.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.ReplayWatch;
import io.entroq.engine.history.StateAt;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.SnapshotAbandonedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.server.cli.Cli;
import io.entroq.tools.log.Branch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory with the state of another one's past. */
class BranchCommandTest {
  @TempDir private Path temporary;

  private Path data;
  private Path branch;

  @BeforeEach
  void fill() {
    data = temporary.resolve("data");
    branch = temporary.resolve("branch");
    Cli.on(data, "ins", "-q", "stripe", "-v", "1");
    Cli.on(data, "policy", "set", "-q", "stripe", "--in-flight", "5").assertGood();
    Cli.on(data, "limiter", "set", "-n", "api", "--in-flight", "5").assertGood();
    Cli.on(data, "ins", "-q", "free", "-v", "2").assertGood();
    Cli.on(data, "ins", "-q", "free", "-v", "3").assertGood();
  }

  private String lastSequence(String queue, int index) {
    List<JsonNode> effects = Cli.on(data, "tail", "-q", queue, "--json").assertGood().lines();
    return effects.get(index).get("position").asText().split("-")[0];
  }

  private Cli branch(String point, Path target) {
    return Cli.run("branch", "--at", point, "--data", data, target);
  }

  @Test
  void shouldHaveTheStateOfThenAndGoItsOwnWay() {
    String point = lastSequence("free", 0);
    String before = Cli.on(data, "ts", "-q", "stripe").assertGood().out();
    JsonNode made = branch(point, branch).assertGood().json();
    assertThat(made.get("sequence").asText()).isEqualTo(point);
    assertThat(made.get("paused").asInt()).isEqualTo(2);
    assertThat(branch.resolveSibling("branch.branch.tmp")).doesNotExist();
    SnapshotDirectory snapshots = new SnapshotDirectory(branch, Forcer.DISK);
    Manifest begin = snapshots.reader(snapshots.newestFirst().get(0)).manifest();
    assertThat(new UUID(begin.logIdHigh(), begin.logIdLow()))
        .hasToString(made.get("logId").asText());

    assertThat(Cli.on(branch, "ts", "-q", "free").assertGood().lines()).hasSize(1);
    assertThat(Cli.on(branch, "ts", "-q", "stripe").assertGood().out()).isEqualTo(before);
    assertThat(Cli.on(branch, "claim", "-q", "stripe", "--try").status()).isEqualTo(3);
    assertThat(Cli.on(branch, "claim", "-q", "free", "--try").status()).isZero();
    Cli.on(branch, "resume", "-q", "stripe").assertGood();
    assertThat(Cli.on(branch, "claim", "-q", "stripe", "--try").status()).isZero();
    Cli.run("log", "verify", branch).assertGood();

    assertThat(Cli.on(data, "ts", "-q", "free").assertGood().lines()).hasSize(2);
    assertThat(Cli.on(data, "ts", "-q", "stripe").assertGood().out()).isEqualTo(before);
    assertThat(Cli.run("backup", branch, temporary.resolve("backup")).status()).isZero();
  }

  @Test
  void shouldLeaveNothingWhenItIsAbandoned() throws IOException {
    int looks = 0;
    int left = 0;
    boolean isMade = false;
    while (!isMade) {
      int[] rest = {left};
      try (HistoryDirectory history = HistoryDirectory.open(data, HolePolicy.REFUSE, "test")) {
        StateAt states = new StateAt(history, 64 << 20, ReplayWatch.NONE);
        Branch abandoned = new Branch(data, branch, () -> rest[0]-- <= 0);
        Branch.Made made = abandoned.run(states, HistoryPoint.END);
        assertThat(made.paused()).isEqualTo(2);
        isMade = true;
      } catch (CancellationException | SnapshotAbandonedException e) {
        looks++;
        try (Stream<Path> entries = Files.list(temporary)) {
          assertThat(entries).containsExactly(data);
        }
      }
      left++;
    }
    assertThat(looks).as("while it writes, for each policy, and at the end").isGreaterThan(3);
    assertThat(Cli.on(branch, "ts", "-q", "free").assertGood().lines()).hasSize(2);
  }

  @Test
  void shouldSayInOneLineWhatIsWrong() throws IOException {
    branch("999", branch).assertFailed("There is no record 999 in ");
    branch("x", branch).assertMisused("neither the sequence of a record nor a time");
    branch("3", data).assertFailed("Cannot make a branch in ", "it contains ");
    branch("3", data.resolve("inside")).assertFailed("may be inside the other");
    Path file = Files.writeString(temporary.resolve("file"), "x");
    branch("3", file).assertFailed("it is not a directory");
    Cli.run("branch", "--at", "3", "--data", data).assertMisused("DEST");
    try (Stream<Path> entries = Files.list(temporary)) {
      assertThat(entries).containsExactlyInAnyOrder(data, file);
    }
    assertThat(Files.createDirectory(branch)).isEmptyDirectory();
    branch("3", branch).assertGood();
  }
}
