package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryException;
import io.entroq.engine.idfilter.IdFilterDirectory;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.retention.LogReader;
import io.entroq.engine.log.retention.LogReaders;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.maintenance.HistoryPolicy;
import io.entroq.engine.recovery.StateRecovery;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.time.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine that keeps as much of its past as it was asked to. */
class HistoryKeptTest {
  private static final int SNAPSHOT_LOG_BYTES = 64 << 10;
  private static final Duration NEVER = Duration.ofDays(1);
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path directory;

  private EmbeddedConfig.Builder config(HistoryPolicy history) {
    return EmbeddedConfig.in(directory)
        .segmentBytes(16 << 10)
        .snapshotLogBytes(SNAPSHOT_LOG_BYTES)
        .snapshotInterval(NEVER)
        .history(history);
  }

  @Test
  void shouldShowEachStateOfTheTimeAskedFor() {
    Duration age = Duration.ofMinutes(40);
    ManualClock clock = new ManualClock(START);
    // By sequence, the log time.
    TreeMap<Long, Long> then = new TreeMap<>();
    try (EmbeddedEntroQ queue =
        EmbeddedEntroQ.open(config(HistoryPolicy.ofAge(age)).clock(clock).build())) {
      for (int round = 0; round < 20; round++) {
        cycleUntilTaken(queue, 1);
        then.put(queue.engine().store().core().machine().sequence(), clock.nowMs());
        clock.advance(Duration.ofMinutes(5));
      }
      Await.until("the beginning is let go", () -> !firstRunIsWhole());
    }
    // One every ten minutes, those around the bound, and the two newest.
    assertThat(snapshots()).hasSizeBetween(5, 8);
    long keptFromMs = then.lastEntry().getValue() - age.toMillis();
    then.forEach(
        (sequence, timeMs) -> {
          if (timeMs >= keptFromMs) {
            assertThat(sequenceAt(HistoryPoint.at(sequence))).isEqualTo(sequence);
            assertThat(sequenceAt(HistoryPoint.atTime(timeMs))).isGreaterThanOrEqualTo(sequence);
          }
        });
    assertThatThrownBy(() -> sequenceAt(HistoryPoint.at(then.firstKey())))
        .isInstanceOf(HistoryException.class)
        .hasMessageContaining("no longer kept");
  }

  @Test
  void shouldKeepNoMoreBytesThanAskedFor() {
    long most = 1 << 20;
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(HistoryPolicy.ofBytes(most)).build())) {
      cycleUntilTaken(queue, 4 * (int) most / SNAPSHOT_LOG_BYTES);
      Await.until("the beginning is let go", () -> !firstRunIsWhole());
      Await.until("the bound is kept", () -> closedBytes() < most + 6 * SNAPSHOT_LOG_BYTES);
      assertThat(closedBytes()).isGreaterThan(most / 2);
    }
  }

  @Test
  void shouldGiveHistoryUpBeforeInsertsAreRefused() {
    AtomicLong usableBytes = new AtomicLong(1L << 40);
    EmbeddedConfig all =
        config(HistoryPolicy.ofAge(Duration.ofDays(7)))
            .diskSpace(asked -> usableBytes.get())
            .diskLowBytes(256L << 20)
            .build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(all)) {
      cycleUntilTaken(queue, 6);
      assertThat(firstRunIsWhole()).isTrue();
      usableBytes.set((1L << 30) - 1);
      Await.until("history is let go", () -> !firstRunIsWhole());
      Await.until("it is counted", () -> queue.stats().snapshots().logBytesFreed() > 0);
      assertThat(snapshots()).hasSize(2);
      queue.modify(Modification.insert("work", Value.bytes(new byte[100]))).orThrow();
    }
  }

  @Test
  void shouldKeepTheHistoryThatFitsOnALowDisk() {
    AtomicBoolean isLow = new AtomicBoolean();
    EmbeddedConfig some =
        config(HistoryPolicy.ofBytes(4 << 20))
            .diskSpace(asked -> isLow.get() && firstRunIsWhole() ? (1L << 30) - 1 : 1L << 40)
            .diskLowBytes(256L << 20)
            .build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(some)) {
      cycleUntilTaken(queue, 24);
      Await.until("some are let go", () -> snapshots().size() < 8);
      int before = snapshots().size();
      assertThat(before).isGreaterThan(3);
      assertThat(firstRunIsWhole()).isTrue();
      isLow.set(true);
      Await.until("the beginning is let go", () -> !firstRunIsWhole());
      Await.until("it is counted", () -> queue.stats().snapshots().logBytesFreed() > 0);
      // One may have been under way, and one may have been let go with what was before it.
      assertThat(snapshots()).hasSizeBetween(before - 1, before + 1);
    }
  }

  @Test
  void shouldNotCountHistoryAsWhatAnEngineHolds() throws IOException {
    HistoryPolicy day = HistoryPolicy.ofBytes(1 << 20);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(day).build())) {
      cycleUntilTaken(queue, 14);
    }
    List<Snapshot> newestFirst = snapshots();
    assertThat(newestFirst).hasSizeGreaterThan(3);
    long othersBytes =
        StateRecovery.readOnly(
                LogDirectory.read(directory),
                HolePolicy.REFUSE,
                false,
                skipped -> {
                  throw skipped;
                })
            .recover(ResultSink.DISCARDING)
            .othersBytes();
    assertThat(othersBytes).isEqualTo(Files.size(newestFirst.get(1).state()));
  }

  @Test
  void shouldKeepEachSnapshotThatAReaderMayLoad() throws IOException {
    HistoryPolicy week = HistoryPolicy.ofAge(Duration.ofDays(7));
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(week).build())) {
      try (LogReader reader = new LogReaders(LogDirectory.read(directory)).register("test", 1)) {
        cycleUntilTaken(queue, 8);
        Await.until("all are kept", () -> snapshots().size() >= 8);
        assertThat(reader).isNotNull();
      }
      cycleUntilTaken(queue, 1);
      Await.until("the first and the last two are kept", () -> snapshots().size() == 3);
      assertThat(firstRunIsWhole()).isTrue();
    }
  }

  @Test
  void shouldLetHistoryGoThatIsNotAskedForAnyMore() {
    try (EmbeddedEntroQ queue =
        EmbeddedEntroQ.open(config(HistoryPolicy.ofBytes(1 << 20)).build())) {
      cycleUntilTaken(queue, 14);
    }
    assertThat(filters()).hasSizeGreaterThan(2);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(HistoryPolicy.OFF).build())) {
      cycleUntilTaken(queue, 1);
      Await.until("two are left", () -> snapshots().size() == 2);
      Await.until("the filters are let go", () -> filters().size() <= 1);
    }
  }

  /** One for each snapshot, with the log of which it tells; none is kept for longer. */
  @Test
  void shouldKeepTheFiltersOfTheLogThatIsKept() {
    HistoryPolicy most = HistoryPolicy.ofBytes(400_000);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config(most).build())) {
      cycleUntilTaken(queue, 1);
      assertThat(filters()).isNotEmpty();
      cycleUntilTaken(queue, 12);
      Await.until("the beginning is let go", () -> !firstRunIsWhole());
    }
    long first = snapshots().get(snapshots().size() - 1).sequence();
    assertThat(filters())
        .contains(name(snapshots().get(0).sequence()))
        .allMatch(file -> file.compareTo(name(first)) > 0);
  }

  private static String name(long sequence) {
    return "ids-%020d".formatted(sequence);
  }

  private List<String> filters() {
    String[] names = directory.resolve(IdFilterDirectory.NAME).toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  private long sequenceAt(HistoryPoint point) {
    EmbeddedConfig asOf = EmbeddedConfig.in(directory).memoryBytesMax(64 << 20).asOf(point).build();
    try (DrivenEngine engine = DrivenEngine.open(asOf, (sequence, result) -> {})) {
      return engine.sequence();
    }
  }

  /** Writes slowly when a snapshot is due, so that each has about as much log as another. */
  private static void cycleUntilTaken(EmbeddedEntroQ queue, int snapshots) {
    for (int i = 0; i < snapshots; i++) {
      long end = queue.stats().snapshots().taken() + 1;
      long dueBytes = queue.stats().appendedBytes() + SNAPSHOT_LOG_BYTES;
      while (queue.stats().snapshots().taken() < end) {
        cycle(queue);
        if (queue.stats().appendedBytes() > dueBytes) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
      }
    }
  }

  private static void cycle(EmbeddedEntroQ queue) {
    for (int i = 0; i < 20; i++) {
      queue.modify(Modification.insert("cycle", Value.bytes(new byte[100]))).orThrow();
      Task task = queue.tryClaim(Claim.from("cycle")).orElseThrow();
      queue.modify(Modification.delete(task)).orThrow();
    }
    assertThat(queue.stats().snapshots().failed()).isZero();
  }

  private List<Snapshot> snapshots() {
    return new SnapshotDirectory(directory, Forcer.DISK).newestFirst();
  }

  private boolean firstRunIsWhole() {
    return LogDirectory.read(directory).runs().get(0).segments().get(0).number() == 0;
  }

  /** Without the segment that is open, which is longer than what it takes. */
  private long closedBytes() {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.filter(Files::isRegularFile)
          .mapToLong(file -> file.toFile().length())
          .filter(bytes -> bytes < 32 << 20)
          .sum();
    } catch (IOException | UncheckedIOException e) {
      return Long.MAX_VALUE;
    }
  }
}
