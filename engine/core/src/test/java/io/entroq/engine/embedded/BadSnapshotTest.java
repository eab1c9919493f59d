package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.TaskQuery;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.log.CleanCloseMarker;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDamagedException;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.recovery.LogRepair;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.UnsupportedLevelException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots whose every checksum is right, and which are of no use all the same. */
class BadSnapshotTest {
  private static final int HEAD_LEVEL = 8;
  private static final int HEAD_CONTENT_DIGEST = 60;

  @TempDir Path directory;

  @Test
  void shouldPassOverOneWhoseStateDoesNotFitItsDigest() throws IOException {
    insertAndSnapshot(head -> head.putLong(HEAD_CONTENT_DIGEST, 1, ByteOrder.LITTLE_ENDIAN));
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      assertThat(queue.tasks(TaskQuery.in("inbox"))).hasSize(1);
      assertThat(queue.stats().snapshots().sequence()).isZero();
    }
  }

  /** A directory in place of a file is opened like one, and gives an error when it is read. */
  @Test
  void shouldPassOverOneThatTheDiskDoesNotGiveBack() throws IOException {
    insertAndSnapshot(head -> {});
    Snapshot newest = insertAndSnapshot(head -> {});
    Snapshot before = new SnapshotDirectory(directory, Forcer.DISK).newestFirst().get(1);
    Files.delete(newest.manifest());
    Files.createDirectory(newest.manifest());

    assertThatThrownBy(
            () -> new SnapshotDirectory(directory, Forcer.DISK).reader(newest).manifest())
        .isInstanceOf(SnapshotDamagedException.class)
        .hasMessageContaining("it cannot be read");
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      assertThat(queue.tasks(TaskQuery.in("inbox"))).hasSize(2);
      assertThat(queue.stats().snapshots().sequence()).isEqualTo(before.sequence());
    }
  }

  @Test
  void shouldSayWhatWasPassedOverWhenTheRestIsNotEnough() throws IOException {
    insertAndSnapshot(head -> head.putLong(HEAD_CONTENT_DIGEST, 1, ByteOrder.LITTLE_ENDIAN));
    removeTheLog();
    Files.delete(CleanCloseMarker.fileIn(directory));
    assertThatThrownBy(() -> EmbeddedEntroQ.open(directory))
        .isInstanceOf(EntroQException.Storage.class)
        .hasCauseInstanceOf(LogDamagedException.class)
        .hasMessageContaining("it has no record, although it has snapshots")
        .hasMessageContaining("snapshots were skipped")
        .hasMessageContaining("snapshot-0");
  }

  @Test
  void shouldRefuseALogThatEndsBeforeASnapshotThatIsPassedOver() throws IOException {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      queue.modify(Modification.insert("inbox", "first")).orThrow();
    }
    Snapshot snapshot =
        insertAndSnapshot(head -> head.putLong(HEAD_CONTENT_DIGEST, 1, ByteOrder.LITTLE_ENDIAN));
    LogRun last;
    try (LogDirectory log = LogDirectory.open(directory)) {
      last = log.runs().get(1);
      last.segments().forEach(log::removeSegment);
      log.removeRun(last.directory());
    }
    Files.delete(CleanCloseMarker.fileIn(directory));
    assertThatThrownBy(() -> EmbeddedEntroQ.open(directory))
        .isInstanceOf(EntroQException.Storage.class)
        .hasCauseInstanceOf(LogDamagedException.class)
        .hasMessageContaining("it ends with record %,d", last.firstSequence() - 1)
        .hasMessageContaining("up to record %,d when", snapshot.sequence())
        .hasMessageContaining("--cut-at %d", last.firstSequence())
        .hasMessageContaining("snapshots were skipped");

    try (LogDirectory log = LogDirectory.open(directory)) {
      new LogRepair(log, LogConfig.defaults()).cutAt(last.firstSequence());
    }
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      assertThat(queue.tasks(TaskQuery.in("inbox"))).hasSize(1);
    }
  }

  @Test
  void shouldNotCutBecauseOfDamageThatTheEngineDoesNotMeet() throws IOException {
    long damaged = damageBeforeSnapshot(head -> {});
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      assertThat(queue.tasks(TaskQuery.in("inbox"))).hasSize(2);
    }
    try (LogDirectory log = LogDirectory.open(directory)) {
      assertThatThrownBy(() -> new LogRepair(log, LogConfig.defaults()).cutAt(damaged))
          .isInstanceOf(LogException.class)
          .hasMessageContaining("must not be cut at " + damaged)
          .hasMessageContaining("loses nothing");
    }
    assertThat(new SnapshotDirectory(directory, Forcer.DISK).newestFirst()).hasSize(1);
  }

  @Test
  void shouldCutWhenTheSnapshotBehindTheDamageIsPassedOver() throws IOException {
    long damaged =
        damageBeforeSnapshot(head -> head.putLong(HEAD_CONTENT_DIGEST, 1, ByteOrder.LITTLE_ENDIAN));
    assertThatThrownBy(() -> EmbeddedEntroQ.open(directory))
        .isInstanceOf(EntroQException.Storage.class)
        .hasCauseInstanceOf(LogDamagedException.class)
        .hasMessageContaining("--cut-at " + damaged);
    try (LogDirectory log = LogDirectory.open(directory)) {
      new LogRepair(log, LogConfig.defaults()).cutAt(damaged);
    }
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      assertThat(queue.tasks(TaskQuery.in("inbox"))).isEmpty();
    }
  }

  /** Spoils the first insert, and gives the sequence of its record. */
  private long damageBeforeSnapshot(Spoiling spoiling) throws IOException {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      queue.modify(Modification.insert("inbox", "first")).orThrow();
    }
    Snapshot snapshot = insertAndSnapshot(spoiling);
    List<LogRecord> records = new ArrayList<>();
    Path segment;
    try (LogDirectory log = LogDirectory.open(directory)) {
      segment = log.runs().get(0).segments().get(0).file();
      LogRecord.Collector collector = new LogRecord.Collector();
      new LogScanner(log, HolePolicy.REFUSE).scan(collector);
      records.addAll(collector.records);
    }
    byte[] bytes = Files.readAllBytes(segment);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    bytes[text.indexOf("first")] ^= 1;
    Files.write(segment, bytes);
    long insert =
        records.stream()
            .filter(record -> record.type() == RecordType.MODIFY)
            .findFirst()
            .orElseThrow()
            .sequence();
    assertThat(insert).isLessThan(snapshot.sequence());
    return insert;
  }

  @Test
  void shouldRefuseALevelThatNeedsAnotherBuildRatherThanPassItOver() throws IOException {
    int level = Levels.MAX + 1;
    Snapshot snapshot =
        insertAndSnapshot(head -> head.putInt(HEAD_LEVEL, level, ByteOrder.LITTLE_ENDIAN));
    assertThatThrownBy(() -> EmbeddedEntroQ.open(directory))
        .isInstanceOf(EntroQException.Storage.class)
        .hasMessageContaining(snapshot.directory().toString())
        .hasMessageContaining("level " + level);
  }

  @Test
  void shouldSayHowToKeepTheTasksOfASnapshotFromBeforeTheFirstRelease() throws IOException {
    Snapshot snapshot = insertAndSnapshot(head -> {});
    String lines = Files.readString(snapshot.manifest()).replaceFirst("crc \\w{8}\n$", "");
    String old =
        lines
            .replace("entroq-snapshot " + Levels.format(Levels.MAX) + "\n", "entroq-snapshot 1\n")
            .replace("level " + Levels.MAX + "\n", "level " + (Levels.MIN - 1) + "\n");
    CRC32C crc = new CRC32C();
    crc.update(old.getBytes(StandardCharsets.US_ASCII));
    Files.writeString(snapshot.manifest(), old + "crc %08x\n".formatted(crc.getValue()));

    assertThatThrownBy(() -> EmbeddedEntroQ.open(directory))
        .isInstanceOf(EntroQException.Storage.class)
        .hasRootCauseInstanceOf(UnsupportedLevelException.class)
        .hasMessageContaining(snapshot.directory().toString())
        .hasMessageContaining("level " + (Levels.MIN - 1))
        .hasMessageContaining("written by a build before the first release")
        .hasMessageContaining("import them from there into a new directory");
  }

  private interface Spoiling {
    void spoil(UnsafeBuffer head);
  }

  private Snapshot insertAndSnapshot(Spoiling spoiling) throws IOException {
    SnapshotDirectory snapshots = new SnapshotDirectory(directory, Forcer.DISK);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      queue.modify(Modification.insert("inbox", "hello")).orThrow();
      Await.until("the engine rests", queue.engine()::isAsleep);
      StateMachine machine = queue.engine().store().core().machine();
      FrozenState frozen = machine.freeze();
      new SnapshotWriter(snapshots, 0)
          .write(new Spoilt(frozen, spoiling), sequence -> {}, () -> false, bytes -> {});
      machine.thaw();
    }
    return snapshots.newestFirst().get(0);
  }

  private void removeTheLog() throws IOException {
    List<Path> segments;
    try (Stream<Path> walk = Files.walk(directory.resolve("log"))) {
      segments = walk.filter(file -> file.toString().endsWith(".cq4")).toList();
    }
    for (Path segment : segments) {
      Files.delete(segment);
    }
  }

  /** A state whose head is altered before it is written, so that all checksums are right. */
  private record Spoilt(FrozenState state, Spoiling spoiling) implements SnapshotSource {
    @Override
    public void writeTo(ChunkSink sink) {
      state.writeTo(
          (kind, items, buffer, offset, length) -> {
            if (kind != ChunkKinds.HEAD) {
              sink.onChunk(kind, items, buffer, offset, length);
              return;
            }
            byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            UnsafeBuffer head = new UnsafeBuffer(bytes);
            spoiling.spoil(head);
            sink.onChunk(kind, items, head, 0, length);
          });
    }

    @Override
    public long sequence() {
      return state.sequence();
    }

    @Override
    public long logTimeMs() {
      return state.logTimeMs();
    }

    @Override
    public int level() {
      return state.level();
    }

    @Override
    public long logIdHigh() {
      return state.logIdHigh();
    }

    @Override
    public long logIdLow() {
      return state.logIdLow();
    }

    @Override
    public long historyDigest() {
      return state.historyDigest();
    }

    @Override
    public long contentDigest() {
      return state.contentDigest();
    }

    @Override
    public long taskCount() {
      return state.taskCount();
    }

    @Override
    public long queueCount() {
      return state.queueCount();
    }

    @Override
    public long liveBytes() {
      return state.liveBytes();
    }
  }
}
