package io.entroq.server.cli.admin;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQ;
import io.entroq.client.EntroQClient;
import io.entroq.engine.state.Levels;
import io.entroq.server.cli.Cli;
import io.entroq.server.cli.RulesScene;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The runbook for a newer build with a real older one, in processes, under load: up, back, up
 * again, and the level raised.
 */
@Tag("long")
class OlderBuildIT {
  private static final int OLD = Levels.IMAGES - 1;

  /** Processes start while others work. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Each look is three connections. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  @TempDir private Path directory;
  private Optional<Path> older;
  private NodeProcesses nodes;
  private String all;

  @BeforeEach
  void build() throws Exception {
    older = Optional.of(OlderBuild.jar());
  }

  @ParameterizedTest(name = "with a secret: {0}")
  @ValueSource(booleans = {false, true})
  @Timeout(900)
  void shouldUpgradeGoBackAndUpgrade(boolean hasSecret) throws Exception {
    List<String> options = new ArrayList<>();
    if (hasSecret) {
      Path secret = Files.writeString(directory.resolve("secret"), "the secret of all members");
      options.add("--secret-file=" + secret);
    }
    try (NodeProcesses started = new NodeProcesses(directory, options)) {
      nodes = started;
      all = nodes.addresses();
      for (int id = 0; id < NodeProcesses.COUNT; id++) {
        nodes.start(id, older, "--bootstrap");
      }
      awaitAll();
      try (Moves work = new Moves(all);
          EntroQ queue = EntroQClient.connect(all)) {
        RulesScene.write(queue);
        Map<String, Object> seen = RulesScene.look(queue, "moves/");
        work.goOn();
        checkBefore();
        replaceAll(Optional.empty(), work);
        assertThat(RulesScene.look(queue, "moves/")).isEqualTo(seen);
        goBack(work);
        assertThat(RulesScene.look(queue, "moves/")).isEqualTo(seen);
        replaceAll(Optional.empty(), work);
        changeLeaderWithoutAnOlderMember(work);
        raise();
        work.goOn();
        snapshot();
        refuseOlder(work);
        for (int id : leaderLast()) {
          replace(id, Optional.empty(), work);
        }
        assertThat(RulesScene.look(queue, "moves/")).isEqualTo(seen);
        work.end();
      }
      until("all have applied the same", PATIENCE, () -> states().stream().distinct().count() == 1);
      assertThat(states().get(0).get("level").asInt()).isEqualTo(Levels.IMAGES);
    }
  }

  private void checkBefore() throws Exception {
    Path backup = directory.resolve("before");
    Cli.run("backup", "-s", all, backup).assertGood();
    assertThat(Cli.run("level", backup).assertGood().out())
        .contains("is at behavior level %d; this build supports".formatted(OLD));
    Cli.run("log", "verify", backup).assertGood();
    snapshot();
  }

  /** One by one, with a snapshot after each, which the next one of either build begins with. */
  private void replaceAll(Optional<Path> jar, Moves work) throws Exception {
    int done = 0;
    for (int id : leaderLast()) {
      replace(id, jar, work);
      snapshot();
      if (++done < NodeProcesses.COUNT) {
        assertThat(level("--raise=" + Levels.IMAGES, "--yes").err())
            .containsPattern("member \\d supports .*" + OLD);
      }
    }
  }

  /** With a backup by the newer build, and commands of the older one. */
  private void goBack(Moves work) throws Exception {
    Path backup = directory.resolve("back");
    Cli.run("backup", "-s", all, backup).assertGood();
    older("log", "verify", backup.toString());
    older("members", "-s", all);
    replaceAll(older, work);
    older("snapshot", "-s", all);
  }

  private void older(String... words) throws Exception {
    Path log = directory.resolve("older.log");
    Process command =
        NodeProcesses.older(older.orElseThrow(), words)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(command.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(command.exitValue()).as(Files.readString(log)).isZero();
  }

  private void replace(int id, Optional<Path> jar, Moves work) throws Exception {
    nodes.stop(id);
    nodes.start(id, jar);
    awaitAll();
    work.goOn();
  }

  /** The older member lacks the end of the last term when it returns. */
  private void changeLeaderWithoutAnOlderMember(Moves work) throws Exception {
    int late = leaderLast()[0];
    nodes.stop(late);
    work.goOn();
    for (int i = 0; i < 2; i++) {
      int leader = leader();
      nodes.stop(leader);
      nodes.start(leader, Optional.empty());
      work.goOn();
    }
    nodes.start(late, older);
    awaitAll();
    work.goOn();
    replace(late, Optional.empty(), work);
  }

  private void raise() {
    AtomicReference<Cli> last = new AtomicReference<>();
    until(
        "all answer",
        PATIENCE,
        () -> {
          last.set(level("--raise=" + Levels.IMAGES, "--yes"));
          return !last.get().err().contains("did not answer");
        });
    assertThat(last.get().assertGood().out())
        .contains("raised from %d to %d".formatted(OLD, Levels.IMAGES));
  }

  /** After the level is raised, the older build says why it cannot, and harms nothing. */
  private void refuseOlder(Moves work) throws Exception {
    int id = leaderLast()[0];
    nodes.stop(id);
    nodes.start(id, older);
    assertThat(nodes.awaitEnd(id)).isNotZero();
    assertThat(nodes.logged(id)).contains("level " + Levels.IMAGES);
    nodes.start(id, Optional.empty());
    awaitAll();
    work.goOn();
  }

  /** Again while a leader is not ready, as the command says. */
  private void snapshot() {
    until(
        "a snapshot is taken",
        PATIENCE,
        () -> {
          LockSupport.parkNanos(LOOK_NANOS);
          return Cli.run("snapshot", "-s", all).status() == 0;
        });
  }

  private Cli level(String... words) {
    List<Object> line = new ArrayList<>(List.of("level", "-s", all));
    line.addAll(List.of(words));
    return Cli.run(line.toArray());
  }

  private int leader() {
    AtomicReference<Cli> members = new AtomicReference<>();
    until(
        "a majority has a leader",
        PATIENCE,
        () -> {
          members.set(Cli.run("members", "--json", "-s", all));
          return members.get().status() != 1;
        });
    return members.get().lines().stream()
        .filter(line -> line.has("leader"))
        .findFirst()
        .orElseThrow()
        .get("leader")
        .asInt();
  }

  private int[] leaderLast() {
    int leader = leader();
    return IntStream.rangeClosed(1, NodeProcesses.COUNT)
        .map(i -> (leader + i) % NodeProcesses.COUNT)
        .toArray();
  }

  /** Waits for what the runbook says. */
  private void awaitAll() {
    until(
        "all are with the leader",
        PATIENCE,
        () -> {
          LockSupport.parkNanos(LOOK_NANOS);
          Cli members = Cli.run("members", "--json", "-s", all);
          return members.status() == 0
              && members.lines().stream()
                  .allMatch(
                      line ->
                          line.path("election").asText().equals("CLOSED")
                              && line.path("lagBytes").asLong() < 1 << 20);
        });
  }

  private List<JsonNode> states() {
    return Cli.run("members", "--json", "-s", all).lines().stream()
        .map(line -> line.path("state"))
        .toList();
  }
}
