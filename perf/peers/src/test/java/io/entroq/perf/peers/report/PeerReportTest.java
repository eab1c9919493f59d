package io.entroq.perf.peers.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.load.ledger.Balance;
import io.entroq.perf.peers.FakePeer;
import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.run.Measured;
import io.entroq.perf.peers.run.Plan;
import io.entroq.perf.peers.run.Result;
import io.entroq.perf.peers.run.Result.Outcome;
import io.entroq.perf.peers.run.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerReportTest {
  private static final Balance EXACT = new Balance(100, 100, 100, 0, 0, 0, 0, 0, true);

  private final Peer good = new FakePeer("good", new ArrayList<>());
  private final Peer bad = new FakePeer("bad", new ArrayList<>());
  private final Peer absent =
      new FakePeer("absent", new ArrayList<>()) {
        @Override
        public Optional<String> absence() {
          return Optional.of("not installed");
        }
      };
  private final List<Result> results = new ArrayList<>();

  @TempDir private Path directory;

  @BeforeEach
  void fill() {
    for (int round = 1; round <= 3; round++) {
      add("good", Shape.SYNC_1, round, measured(round * 1_000, EXACT));
      add(
          "good",
          Shape.BATCH_100,
          round,
          measured(round * 100_000, new Balance(10, 11, 11, 0, 0, 2, 3, 0, true)));
      add("bad", Shape.SYNC_1, round, new Outcome(Optional.empty(), "said \"no\", and hung"));
      add("bad", Shape.BATCH_100, round, measured(0.5, EXACT));
    }
  }

  @Test
  void shouldTellMedianEndsFailuresAndLossesAsMarkdown() {
    String text = report().markdown(results, Map.of("good", "1.2"));
    assertThat(text)
        .contains("## memory: nothing promised")
        .contains("1,000 / 2,000 / 3,000")
        .contains("11 / 13")
        .contains("bad, 1 caller, 1 task: failed in 3 of 3 rounds: said \"no\", and hung.")
        .contains("good, 8 callers, 100 tasks: lost 6 tasks, doubled 9.")
        .contains("absent: not measured, not installed.")
        .contains("good 1.2")
        .contains("size=small");
  }

  @Test
  void shouldWriteTablesAndPlots() throws IOException {
    report().write(results, Map.of(), directory);
    assertThat(Files.readAllLines(directory.resolve("peers-rounds.csv")))
        .hasSize(13)
        .contains("memory,good,sync1,1,1000.0,11.0,13.0,100,100,0,0,")
        .contains("memory,bad,sync1,1,,,,,,,,\"said \"\"no\"\", and hung\"");
    assertThat(Files.readAllLines(directory.resolve("peers.csv")))
        .hasSize(5)
        .contains("memory,good,sync1,1000.0,2000.0,3000.0,11.0,11.0,11.0,13.0,13.0,13.0,");
    assertThat(directory.resolve("peers.md")).isNotEmptyFile();
    assertThat(directory.resolve("peers-memory.svg")).content().contains("<svg");
    assertThat(directory.resolve("peers-memory-latency.svg")).content().contains("<svg");
  }

  @Test
  void shouldKeepRunsWithSeveralCopiesApart() throws IOException {
    report(3).write(results, Map.of(), directory);
    assertThat(directory.resolve("peers-3.md"))
        .content()
        .contains("# Peers side by side, 3 copies of each task")
        .contains("share the processors");
    assertThat(directory.resolve("peers-3-memory.svg")).exists();
    assertThat(directory.resolve("peers.md")).doesNotExist();
  }

  private PeerReport report() {
    return report(1);
  }

  private PeerReport report(int replicas) {
    Plan plan =
        new Plan(
            replicas,
            List.of(good, bad),
            List.of(DurabilityClass.MEMORY),
            List.of(Shape.SYNC_1, Shape.BATCH_100),
            3,
            new Timing(Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO),
            Duration.ZERO,
            directory);
    return new PeerReport(plan, List.of(good, bad, absent));
  }

  private void add(String peer, Shape shape, int round, Outcome outcome) {
    results.add(new Result(peer, DurabilityClass.MEMORY, shape, round, outcome));
  }

  private static Outcome measured(double tasksPerSecond, Balance balance) {
    return new Outcome(Optional.of(new Measured(tasksPerSecond, 11, 13, balance)), "");
  }
}
