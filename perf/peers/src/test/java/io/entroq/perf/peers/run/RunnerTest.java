package io.entroq.perf.peers.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.load.LoadSession;
import io.entroq.perf.peers.FakePeer;
import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Shape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnerTest {
  private static final Shape SMALL = new Shape("small", 2, 5);

  @TempDir private Path directory;
  private final List<String> events = new ArrayList<>();

  @Test
  void shouldTakeTurnsInAlternatingDirectionAndLetOnlyOneRun() throws Exception {
    List<Result> results = run(2, new FakePeer("a", events), new FakePeer("b", events));
    assertThat(events)
        .containsExactly(
            "a start",
            "a pause",
            "b start",
            "b pause",
            "b resume",
            "b pause",
            "a resume",
            "a pause",
            "a close",
            "b close");
    assertThat(results).extracting(Result::peer).containsExactly("a", "b", "b", "a");
    assertThat(results).extracting(Result::round).containsExactly(1, 1, 2, 2);
    assertThat(results).allMatch(result -> result.measured().orElseThrow().balance().isRight());
    assertThat(results).allMatch(result -> result.measured().orElseThrow().tasksPerSecond() > 0);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldGoOnWithOthersWhenAPeerFails() throws Exception {
    FakePeer failing =
        new FakePeer("a", events) {
          @Override
          protected LoadSession session(ConcurrentLinkedDeque<byte[]> tasks) {
            throw new IllegalStateException("no more connections");
          }
        };
    List<Result> results = run(3, failing, new FakePeer("b", events));
    assertThat(results)
        .filteredOn(result -> result.peer().equals("a"))
        .hasSize(3)
        .extracting(Result::failure)
        .containsOnly("A call failed (open): java.lang.IllegalStateException: no more connections");
    assertThat(results)
        .filteredOn(result -> result.peer().equals("b"))
        .hasSize(3)
        .allMatch(result -> result.measured().isPresent());
    // Given up after the second time.
    assertThat(events).filteredOn("a start"::equals).hasSize(2);
    assertThat(events).filteredOn("a close"::equals).hasSize(2);
  }

  @Test
  void shouldMeasureNothingMoreWhenItIsClosed() throws Exception {
    try (Runner runner = new Runner(plan(1, new FakePeer("a", events)), new Silence())) {
      runner.end();
      assertThat(runner.run()).extracting(Result::failure).containsExactly("ended by request");
    }
    assertThat(events).isEmpty();
  }

  private List<Result> run(int rounds, Peer... peers) throws InterruptedException {
    try (Runner runner = new Runner(plan(rounds, peers), new Silence())) {
      return runner.run();
    }
  }

  private Plan plan(int rounds, Peer... peers) {
    Timing timing = new Timing(Duration.ZERO, Duration.ofMillis(200), Duration.ofSeconds(5));
    return new Plan(
        1,
        List.of(peers),
        List.of(DurabilityClass.MEMORY),
        List.of(SMALL),
        rounds,
        timing,
        Duration.ofMillis(20),
        directory);
  }

  /** Tells nobody. */
  private static final class Silence implements Progress {
    @Override
    public void turn(String peer, DurabilityClass durability, int round) {}

    @Override
    public void result(Result result) {}
  }
}
