package io.entroq.engine.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.record.RecordType;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDamagedException;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.Levels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogRepairTest {
  private static final LogConfig CONFIG = LogConfig.defaults().withPayloadBytesMax(1 << 10);

  private static final int TAG = 5;

  @TempDir private Path temporary;
  private LogDirectory directory;
  private final List<LogRecord> appended = new ArrayList<>();

  @BeforeEach
  void appendTenRecordsAndForceThem() {
    directory = LogDirectory.open(temporary.resolve("data"));
    try (CommandLog log = ChronicleLog.open(directory, CONFIG, TAG, 0, 0)) {
      for (int i = 1; i <= 10; i++) {
        LogRecord record = LogRecord.ofBytes(i, 80);
        record.appendTo(log);
        appended.add(record);
        log.force();
      }
    }
  }

  @AfterEach
  void close() {
    directory.close();
  }

  @Test
  void shouldOpenADamagedLogAgain() throws IOException {
    spoilRecord(5);
    assertThatThrownBy(this::recover)
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("--cut-at 5");
    new LogRepair(directory, CONFIG).cutAt(5);
    assertCutAt(5);
  }

  @Test
  void shouldGiveUpGoodRecordsToo() {
    new LogRepair(directory, CONFIG).cutAt(3);
    assertCutAt(3);
    new LogRepair(directory, CONFIG).cutAt(2);
    assertCutAt(2);
  }

  @Test
  void shouldRefuseACutBehindWhatIsGood() throws IOException {
    spoilRecord(5);
    LogRepair repair = new LogRepair(directory, CONFIG);
    assertThatThrownBy(() -> repair.cutAt(6))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("its good records are 1 to 4; allowed is 2 to 5");
    assertThatThrownBy(() -> repair.cutAt(1)).isInstanceOf(LogException.class);
    assertThat(directory.runs()).hasSize(1);
  }

  @Test
  void shouldGoOnFromASnapshotWhenTheLogBeforeItIsDamaged() throws IOException {
    spoilRecord(3);
    spoilRecord(8);
    snapshotAt(5);
    LogRepair repair = new LogRepair(directory, CONFIG);
    assertThatThrownBy(() -> repair.cutAt(9))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("after the snapshot at record 5 its good records are 6 to 7;")
        .hasMessageContaining("allowed is 6 to 8; or its good records are 1 to 2;");
    assertThatThrownBy(() -> repair.cutAt(4)).isInstanceOf(LogException.class);
    assertThat(repair.plan(8).ahead()).isEmpty();
    repair.cutAt(8);
    assertThat(recordsBehind(5)).startsWith(appended.get(5), appended.get(6)).hasSize(3);
  }

  @Test
  void shouldSetSnapshotsAsideThatHoldWhatIsGivenUp() throws IOException {
    snapshotAt(4);
    Snapshot given = snapshotAt(7);
    spoilRecord(7);
    LogRepair repair = new LogRepair(directory, CONFIG);
    assertThat(repair.plan(7).ahead()).containsExactly(given);
    assertThat(given.directory()).exists();
    repair.cutAt(7);
    assertThat(snapshots().newestFirst()).extracting(Snapshot::sequence).containsExactly(4L);
    assertThat(SnapshotDirectory.setAsidePlace(directory.directory()))
        .isDirectoryContaining(path -> path.endsWith(given.directory().getFileName()));
    assertThat(recordsBehind(4)).startsWith(appended.get(4), appended.get(5)).hasSize(3);
    assertCutAt(7);
  }

  @Test
  void shouldSetASnapshotAsideOnceMore() throws IOException {
    snapshotAt(7);
    new LogRepair(directory, CONFIG).cutAt(6);
    snapshotAt(7);
    new LogRepair(directory, CONFIG).cutAt(5);
    assertThat(snapshots().newestFirst()).isEmpty();
    assertThat(SnapshotDirectory.setAsidePlace(directory.directory()).toFile().list()).hasSize(2);
  }

  @Test
  void shouldPassOverADamagedSnapshot() throws IOException {
    Snapshot damaged = snapshotAt(5);
    Files.write(damaged.state(), new byte[0]);
    assertThat(new LogRepair(directory, CONFIG).plan(8).ahead()).isEmpty();
    assertThat(new LogRepair(directory, CONFIG).plan(8).report().firstSequence()).isEqualTo(1);
  }

  private SnapshotDirectory snapshots() {
    return new SnapshotDirectory(directory.directory(), Forcer.DISK);
  }

  /** Of no state, but of this log. */
  private Snapshot snapshotAt(long sequence) throws IOException {
    SnapshotDirectory snapshots = snapshots();
    new SnapshotWriter(snapshots, 0)
        .write(new StateOfNothing(sequence), at -> {}, () -> false, written -> {});
    return snapshots.newestFirst().get(0);
  }

  private List<LogRecord> recordsBehind(long sequence) {
    LogRecord.Collector collector = new LogRecord.Collector();
    new LogScanner(directory, HolePolicy.REFUSE)
        .scanAfter(sequence, TAG, LogRecord.of(sequence, "").logTimeMs(), collector)
        .requireUndamaged();
    return collector.records;
  }

  private record StateOfNothing(long sequence) implements SnapshotSource {
    @Override
    public long logTimeMs() {
      return LogRecord.of(sequence, "").logTimeMs();
    }

    @Override
    public int level() {
      return Levels.MIN;
    }

    @Override
    public long logIdHigh() {
      return 1;
    }

    @Override
    public long logIdLow() {
      return TAG;
    }

    @Override
    public long historyDigest() {
      return 2;
    }

    @Override
    public long contentDigest() {
      return 3;
    }

    @Override
    public long taskCount() {
      return 0;
    }

    @Override
    public long queueCount() {
      return 0;
    }

    @Override
    public long liveBytes() {
      return 0;
    }

    @Override
    public void writeTo(ChunkSink sink) {
      sink.onChunk(1, 0, new UnsafeBuffer(new byte[8]), 0, 8);
    }
  }

  private void assertCutAt(int sequence) {
    List<LogRecord> records = recover();
    assertThat(records).hasSize(sequence);
    assertThat(records.subList(0, sequence - 1)).isEqualTo(appended.subList(0, sequence - 1));
    LogRecord cut = records.get(sequence - 1);
    assertThat(cut.type()).isEqualTo(RecordType.CUT);
    assertThat(cut.logTimeMs()).isEqualTo(appended.get(sequence - 2).logTimeMs());
  }

  private List<LogRecord> recover() {
    LogRecord.Collector collector = new LogRecord.Collector();
    new LogRecovery(directory, HolePolicy.CUT_UNFORCED, Forcer.DISK).recover(collector);
    return collector.records;
  }

  private void spoilRecord(int sequence) throws IOException {
    Path file = directory.runs().get(0).segments().get(0).file();
    byte[] bytes = Files.readAllBytes(file);
    bytes[SegmentLayout.FIRST_RECORD_OFFSET + (sequence - 1) * 132 + 70] ^= 1;
    Files.write(file, bytes);
  }
}
