package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.TaskQuery;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryException;
import io.entroq.engine.log.ClusterMemberMarker;
import io.entroq.engine.time.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory that is shown as it was. */
class AsOfTest {
  private static final int ROUNDS = 60;

  @TempDir private Path temporary;

  private static EmbeddedConfig config(Path data, HistoryPoint point) {
    return EmbeddedConfig.in(data).memoryBytesMax(64 << 20).asOf(point).build();
  }

  private static EntroQ open(Path data, HistoryPoint point) {
    return EmbeddedEntroQ.open(config(data, point));
  }

  private static RecoveryPoint found(Path data, HistoryPoint point) {
    try (DrivenEngine engine = DrivenEngine.open(config(data, point), (sequence, result) -> {})) {
      RecoveryPoint found = engine.found();
      engine.poll();
      assertThat(RecoveryPoint.of(engine.machine())).as("no time passes").isEqualTo(found);
      return found;
    }
  }

  @Test
  void shouldAbandonWhatIsNotWantedAnyMoreAndLeaveNothing() throws IOException {
    Path data = temporary.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.in(data).build())) {
      for (int i = 0; i < 2_000; i++) {
        queue.modify(Modification.insert("inbox", "x")).orThrow();
      }
    }
    EmbeddedConfig abandoned =
        EmbeddedConfig.in(data).asOf(HistoryPoint.END, sequence -> false).build();
    assertThatThrownBy(() -> EmbeddedEntroQ.open(abandoned))
        .cause()
        .isInstanceOfSatisfying(
            HistoryException.class,
            e -> assertThat(e.reason()).isEqualTo(HistoryException.Reason.ABANDONED));
    try (Stream<Path> readers = Files.list(data.resolve("readers"))) {
      assertThat(readers).allMatch(file -> file.endsWith(".lock"));
    }
  }

  @Test
  void shouldShowEachKeptPointOfAnEngineThatRunsAndOfOneThatWasKilled() {
    Path data = temporary.resolve("data");
    SimulatedEngine simulated = new SimulatedEngine(data, 5);
    TreeMap<Long, RecoveryPoint> then = new TreeMap<>();
    DrivenEngine engine = simulated.open();
    for (int round = 0; round < ROUNDS; round++) {
      simulated.work(10);
      then.put(engine.sequence(), RecoveryPoint.of(engine.machine()));
      if (round % 20 == 19) {
        assertThat(found(data, HistoryPoint.at(engine.sequence())))
            .isEqualTo(then.lastEntry().getValue());
      }
    }
    long last = engine.sequence();
    engine.abandon();

    long first = firstKept(data);
    assertThat(first).as("retention removed some").isGreaterThan(then.firstKey());
    then.forEach(
        (sequence, state) -> {
          if (sequence >= first) {
            assertThat(found(data, HistoryPoint.at(sequence))).isEqualTo(state);
          } else {
            assertThatThrownBy(() -> found(data, HistoryPoint.at(sequence)))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("no longer kept");
          }
        });
    assertThat(then.tailMap(first)).hasSizeGreaterThan(3);
    assertThatThrownBy(() -> found(data, HistoryPoint.at(last + 1)))
        .isInstanceOf(HistoryException.class)
        .hasMessageContaining("the log ends with record " + String.format("%,d", last));
  }

  private static long firstKept(Path data) {
    try {
      return found(data, HistoryPoint.at(1)).sequence();
    } catch (HistoryException e) {
      assertThat(e.reason()).isEqualTo(HistoryException.Reason.GONE);
      return e.sequence();
    }
  }

  @Test
  void shouldCountWhatWasDueThen() {
    Path data = temporary.resolve("data");
    ManualClock clock = new ManualClock(TestEntroQ.START);
    long startMs = TestEntroQ.START.toEpochMilli();
    try (EntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.in(data).clock(clock).build())) {
      Insert soon = Insert.into("inbox").availableIn(Duration.ofSeconds(10));
      queue.modify(Modification.builder().insert(soon).build()).orThrow();
      clock.advance(Duration.ofMinutes(1));
      queue.modify(Modification.insert("inbox", "later")).orThrow();
    }
    assertThat(stats(data, HistoryPoint.atTime(startMs + 9_999)).available()).isZero();
    assertThat(stats(data, HistoryPoint.atTime(startMs + 9_999)).future()).isEqualTo(1);
    assertThat(stats(data, HistoryPoint.atTime(startMs + 10_000)).available()).isEqualTo(1);
    assertThat(stats(data, HistoryPoint.atTime(startMs + 59_999)).tasks()).isEqualTo(1);
    assertThat(stats(data, HistoryPoint.atTime(startMs + 60_000)).tasks()).isEqualTo(2);
    assertThat(stats(data, HistoryPoint.END).tasks()).isEqualTo(2);
  }

  private static QueueStats stats(Path data, HistoryPoint point) {
    try (EntroQ queue = open(data, point)) {
      return queue.queueStats(QueueQuery.all()).get("inbox");
    }
  }

  @Test
  void shouldRefuseToChangeAndWriteNothing() throws IOException {
    Path data = temporary.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      queue.modify(Modification.insert("inbox", "x")).orThrow();
    }
    Map<String, String> before = files(data);
    try (EntroQ queue = open(data, HistoryPoint.END)) {
      assertThat(queue.tasks(TaskQuery.in("inbox"))).hasSize(1);
      assertThatThrownBy(() -> queue.modify(Modification.insert("inbox", "y")).orThrow())
          .isInstanceOf(EntroQException.PermissionDenied.class)
          .hasMessageContaining("is shown as it was at record ");
    }
    assertThat(files(data)).isEqualTo(before);
  }

  /** Size and time of each file, except where readers register. */
  private static Map<String, String> files(Path data) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(data)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (!file.startsWith(data.resolve("readers"))) {
          files.put(file.toString(), Files.size(file) + " " + Files.getLastModifiedTime(file));
        }
      }
    }
    return files;
  }

  @Test
  void shouldShowTheDirectoryOfAMember() throws IOException {
    Path data = temporary.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      queue.modify(Modification.insert("inbox", "x")).orThrow();
    }
    Files.createFile(data.resolve(ClusterMemberMarker.FILE_NAME));
    assertThat(stats(data, HistoryPoint.END).tasks()).isEqualTo(1);
  }

  @Test
  void shouldSayWhatIsWrong() {
    Path data = temporary.resolve("data");
    assertThatThrownBy(() -> open(data, HistoryPoint.END))
        .isInstanceOf(EntroQException.Storage.class)
        .hasMessageContaining("There is no log in");
    assertThat(data).doesNotExist();
    assertThatThrownBy(() -> EmbeddedConfig.inMemory().asOf(HistoryPoint.END))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an engine in memory has no history");
    assertThatThrownBy(() -> HistoryPoint.at(-1)).isInstanceOf(IllegalArgumentException.class);
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      queue.modify(Modification.insert("inbox", "x")).orThrow();
      assertThatThrownBy(() -> open(data, HistoryPoint.at(0)))
          .isInstanceOf(EntroQException.Storage.class)
          .hasCauseInstanceOf(HistoryException.class)
          .hasMessageContaining("has no record up to 0.");
    }
  }
}
