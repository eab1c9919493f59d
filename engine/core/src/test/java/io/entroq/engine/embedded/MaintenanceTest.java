package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.RecordsRemovedException;
import io.entroq.engine.log.retention.LogReader;
import io.entroq.engine.log.retention.LogReaders;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.StateMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots and what they let go, in an engine that works meanwhile. */
class MaintenanceTest {
  private static final int SNAPSHOT_LOG_BYTES = 64 << 10;
  private static final Duration NEVER = Duration.ofDays(1);

  @TempDir Path directory;

  private EmbeddedConfig.Builder config() {
    return EmbeddedConfig.in(directory)
        .segmentBytes(16 << 10)
        .snapshotLogBytes(SNAPSHOT_LOG_BYTES)
        .snapshotInterval(NEVER);
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"OS", "DISK"})
  void shouldKeepTwoSnapshotsAndTheLogBehindThem(Durability level) throws IOException {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().durability(level).build())) {
      cycleUntilTaken(queue, 4);
      Await.until("old ones are let go", () -> snapshots().size() == 2);
      Await.until("the log is let go", () -> !firstRunIsWhole());
      // Only then has it ended; a reader beside it would see the beginning vanish.
      Await.until("it is counted", () -> queue.stats().snapshots().logBytesFreed() > 0);
      assertThat(firstKept()).isLessThanOrEqualTo(snapshots().get(1).sequence());
      assertThat(queue.stats().snapshots().failed()).isZero();
      assertThat(queue.stats().snapshots().pauseNs()).isPositive();
    }
  }

  @Test
  void shouldOpenFromTheNewestSnapshotWithTheSameState() {
    long history;
    long content;
    List<Task> tasks;
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      insert(queue, 100);
      cycleUntilTaken(queue, 3);
      insert(queue, 10);
      tasks = queue.tasks(TaskQuery.in("work"));
      StateMachine machine = queue.engine().store().core().machine();
      history = machine.historyDigest();
      content = machine.contentDigest();
    }
    // Nobody waits for anything, so nothing is logged at the opening.
    try (DrivenEngine engine = DrivenEngine.open(config().build(), (sequence, result) -> {})) {
      assertThat(engine.machine().historyDigest()).isEqualTo(history);
      assertThat(engine.machine().contentDigest()).isEqualTo(content);
      assertThat(engine.machine().recomputeContentDigest()).isEqualTo(content);
      assertThat(engine.stats().snapshots().sequence()).isPositive();
    }
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      assertThat(queue.tasks(TaskQuery.in("work"))).containsExactlyInAnyOrderElementsOf(tasks);
    }
  }

  @Test
  void shouldFallBackToTheSnapshotBefore() throws IOException {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      insert(queue, 100);
      cycleUntilTaken(queue, 3);
    }
    Snapshot newest = snapshots().get(0);
    byte[] state = Files.readAllBytes(newest.state());
    state[state.length / 2] ^= 1;
    Files.write(newest.state(), state);

    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      assertThat(queue.stats().snapshots().sequence())
          .isEqualTo(snapshots().get(1).sequence())
          .isLessThan(newest.sequence());
      assertThat(queue.tasks(TaskQuery.in("work"))).hasSize(100);
      cycleUntilTaken(queue, 2);
      Await.until("the bad one is let go", () -> !snapshots().contains(newest));
    }
  }

  @Test
  void shouldTakeASnapshotByTimeThoughNobodyAsksForAnything() {
    EmbeddedConfig timed = config().snapshotInterval(Duration.ofMillis(50)).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(timed)) {
      insert(queue, 1);
      long last = queue.engine().store().core().machine().sequence();
      // There may be one from before the insert, too.
      Await.until("a snapshot is taken", () -> queue.stats().snapshots().sequence() == last);
      long taken = queue.stats().snapshots().taken();
      long asked = System.nanoTime();
      Await.until("time has passed", () -> System.nanoTime() - asked > 200_000_000L);
      assertThat(queue.stats().snapshots().taken()).as("of nothing new").isEqualTo(taken);
    }
  }

  @Test
  void shouldNotKeepTheSnapshotsOfAStateThatHasGone() {
    EmbeddedConfig timed = config().snapshotInterval(Duration.ofMillis(50)).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(timed)) {
      insert(queue, 5_000);
      Await.until("it is saved", () -> queue.stats().snapshots().bytes() > 500_000);
      deleteAll(queue);
      Await.until("little is left", () -> directoryBytes() < 5 * SNAPSHOT_LOG_BYTES);
      assertThat(snapshots()).hasSize(2);
    }
  }

  @Test
  void shouldTakeSnapshotsOnASmallDiskWhoseBoundsAreLowered() throws IOException {
    try (Mount mount = Mount.tmpfs(directory.resolve("small"), "size=56m")) {
      EmbeddedConfig small =
          EmbeddedConfig.in(mount.path())
              .segmentBytes(16 << 10)
              .snapshotLogBytes(SNAPSHOT_LOG_BYTES)
              .snapshotInterval(NEVER)
              .diskLowBytes(20 << 20)
              .diskFullBytes(16 << 20)
              .build();
      try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(small)) {
        cycleUntilTaken(queue, 2);
      }
    }
  }

  @Test
  void shouldNotEndAnEngineOnAFullDiskForARecordThatNobodyNeeds() {
    AtomicLong usableBytes = new AtomicLong(1L << 40);
    EmbeddedConfig timed =
        config()
            .snapshotInterval(Duration.ofMillis(20))
            .diskLowBytes(0)
            .diskFullBytes(0)
            .diskSpace(asked -> usableBytes.get())
            .build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(timed)) {
      List<Task> tasks = insert(queue, 5_000);
      Await.until("it is saved", () -> queue.stats().snapshots().bytes() > 500_000);
      usableBytes.set(1 << 20);
      Modification.Builder deletes = Modification.builder();
      tasks.forEach(deletes::delete);
      queue.modify(deletes.build()).orThrow();
      Await.until("that is saved too", () -> queue.stats().snapshots().bytes() < 500_000);
      long saved = System.nanoTime();
      Await.until("time has passed", () -> System.nanoTime() - saved > 200_000_000L);
      assertThat(queue.tasks(TaskQuery.in("work"))).isEmpty();

      usableBytes.set(1L << 40);
      Await.until("little is left", () -> directoryBytes() < 5 * SNAPSHOT_LOG_BYTES);
    }
  }

  @Test
  void shouldGiveTheDiskBackWhenItIsLowThoughNothingMoreCanBeInserted() throws IOException {
    AtomicLong usableBytes = new AtomicLong(1L << 40);
    EmbeddedConfig low =
        config().snapshotLogBytes(1 << 20).diskSpace(asked -> usableBytes.get()).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(low)) {
      insert(queue, 6_000);
      usableBytes.set(100L << 20);
      assertThatThrownBy(() -> insert(queue, 10_000))
          .isInstanceOf(EntroQException.ResourceExhausted.class);
      assertThat(snapshots()).isEmpty();
      deleteAll(queue);
      Await.until("the log is let go", () -> !firstRunIsWhole());
      Await.until("it is counted", () -> queue.stats().snapshots().taken() >= 2);
    }
  }

  @Test
  void shouldHoldWhatAReaderNeeds() throws IOException {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build());
        LogReader reader = new LogReaders(LogDirectory.read(directory)).register("test", 1)) {
      cycleUntilTaken(queue, 8);
      assertThat(firstRunIsWhole()).isTrue();
      assertThat(reader).isNotNull();
    }
  }

  @Test
  void shouldNotHoldMoreThanTheBoundForAReader() throws IOException {
    EmbeddedConfig bounded = config().readerBytesMax(4 * SNAPSHOT_LOG_BYTES).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(bounded);
        LogReader reader = new LogReaders(LogDirectory.read(directory)).register("test", 1)) {
      cycleUntilTaken(queue, 8);
      Await.until("the bound is kept", () -> !firstRunIsWhole());
      assertThat(reader).isNotNull();
    }
  }

  @Test
  void shouldGoOnWithoutSnapshotsWhenNoneCanBeWritten() throws IOException {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      Files.writeString(directory.resolve("snapshots"), "in the way");
      insert(queue, 1_000);
      deleteAll(queue);
      insert(queue, 1_000);
      Await.until("one has failed", () -> queue.stats().snapshots().failed() > 0);
      insert(queue, 1);
      assertThat(queue.tasks(TaskQuery.in("work"))).hasSize(1_001);
    }
    Files.delete(directory.resolve("snapshots"));
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      assertThat(queue.tasks(TaskQuery.in("work"))).hasSize(1_001);
      insert(queue, 1);
      Await.until("one is taken", () -> queue.stats().snapshots().taken() > 0);
    }
  }

  @Test
  void shouldCloseInTheMiddleOfASnapshot() throws IOException {
    EmbeddedConfig always = config().snapshotInterval(Duration.ofMillis(1)).build();
    for (int round = 0; round < 10; round++) {
      try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(always)) {
        insert(queue, 2_000);
      }
    }
    try (Stream<Path> entries = Files.list(directory.resolve("snapshots"))) {
      assertThat(entries).noneMatch(entry -> entry.toString().endsWith(".tmp"));
    }
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      assertThat(queue.tasks(TaskQuery.in("work"))).hasSize(20_000);
    }
  }

  private static List<Task> insert(EmbeddedEntroQ queue, int count) {
    List<Task> inserted = new ArrayList<>();
    for (int done = 0; done < count; done += 100) {
      Modification.Builder inserts = Modification.builder();
      for (int i = done; i < Math.min(count, done + 100); i++) {
        inserts.insert("work", Value.bytes(new byte[50]));
      }
      inserted.addAll(queue.modify(inserts.build()).orThrow().inserted());
    }
    return inserted;
  }

  private static void deleteAll(EmbeddedEntroQ queue) {
    Claim claim = Claim.from("work").withLimit(500);
    List<Task> tasks = queue.tryClaimMany(claim);
    while (!tasks.isEmpty()) {
      Modification.Builder deletes = Modification.builder();
      tasks.forEach(deletes::delete);
      queue.modify(deletes.build()).orThrow();
      tasks = queue.tryClaimMany(claim);
    }
  }

  private static void cycleUntilTaken(EmbeddedEntroQ queue, int snapshots) {
    long end = queue.stats().snapshots().taken() + snapshots;
    while (queue.stats().snapshots().taken() < end) {
      for (int i = 0; i < 20; i++) {
        queue.modify(Modification.insert("cycle", Value.bytes(new byte[100]))).orThrow();
        Task task = queue.tryClaim(Claim.from("cycle")).orElseThrow();
        queue.modify(Modification.delete(task)).orThrow();
      }
      SnapshotStats figures = queue.stats().snapshots();
      assertThat(figures.failed()).isZero();
    }
  }

  private List<Snapshot> snapshots() {
    return new SnapshotDirectory(directory, Forcer.DISK).newestFirst();
  }

  private boolean firstRunIsWhole() {
    return LogDirectory.read(directory).runs().get(0).segments().get(0).number() == 0;
  }

  /** The first record that is left of the log. Read again when the engine removes it meanwhile. */
  private long firstKept() {
    while (true) {
      long[] first = {0};
      try {
        new LogScanner(LogDirectory.read(directory), HolePolicy.REFUSE)
            .scan(
                (type, sequence, logTimeMs, payloadCrc, payload, offset, length) ->
                    first[0] = first[0] == 0 ? sequence : first[0]);
        return first[0];
      } catch (RecordsRemovedException e) {
        // It ends: nothing is written any more, so only so much can be removed.
        assertThat(first[0]).isPositive();
      }
    }
  }

  /** The segment that is open is longer than what it takes, and left out. */
  private long directoryBytes() {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.filter(Files::isRegularFile).mapToLong(MaintenanceTest::blocksOf).sum();
    } catch (IOException | UncheckedIOException e) {
      return Long.MAX_VALUE;
    }
  }

  private static long blocksOf(Path file) {
    return file.toFile().length() > 32 << 20 ? 0 : file.toFile().length();
  }
}
