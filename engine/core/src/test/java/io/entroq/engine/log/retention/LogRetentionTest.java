package io.entroq.engine.log.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogRetentionTest {
  private static final int TAG = 0x51525354;
  private static final LogConfig CONFIG =
      LogConfig.defaults().withSegmentBytes(1 << 10).withPayloadBytesMax(4 << 10);

  @TempDir private Path temporary;
  private LogDirectory directory;
  private LogRetention retention;
  private final List<LogRecord> records = new ArrayList<>();

  @BeforeEach
  void open() {
    directory = LogDirectory.open(temporary.resolve("data"));
    retention = new LogRetention(directory);
  }

  @AfterEach
  void close() {
    directory.close();
  }

  /** A run in which two records fill a segment. */
  private void run(int count) {
    try (CommandLog log = openLog()) {
      append(log, count);
    }
  }

  private CommandLog openLog() {
    return ChronicleLog.open(directory, CONFIG, TAG, records.size(), 0);
  }

  private void append(CommandLog log, int count) {
    for (int i = 0; i < count; i++) {
      LogRecord record = LogRecord.ofBytes(records.size() + 1, 200);
      record.appendTo(log);
      records.add(record);
    }
    log.force();
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (LogRun run : directory.runs()) {
      run.segments().forEach(segment -> files.add(segment.file()));
    }
    return files;
  }

  /** What is left, read back: all records from the first one that is left. */
  private long firstLeft() {
    LogRecord.Collector collector = new LogRecord.Collector();
    ScanReport report = new LogScanner(directory, HolePolicy.REFUSE).scan(collector);
    report.requireUndamaged();
    assertThat(report.isTorn()).isFalse();
    int first = (int) report.firstSequence();
    assertThat(collector.records).isEqualTo(records.subList(first - 1, records.size()));
    return first;
  }

  @Test
  void shouldKeepTheSegmentThatHoldsTheRecordAndAllBehindIt() throws IOException {
    run(7);
    run(3);
    run(5);
    assertThat(files()).hasSize(4 + 2 + 3);
    for (long sequence = 0; sequence <= 2; sequence++) {
      assertThat(retention.removeBelow(sequence)).isZero();
      assertThat(firstLeft()).isEqualTo(1);
    }
    long bytes = Files.size(files().get(0));
    assertThat(retention.removableBytes(3)).isEqualTo(bytes);
    assertThat(retention.removeBelow(3)).isEqualTo(bytes);
    assertThat(firstLeft()).isEqualTo(3);
    assertThat(retention.removeBelow(4)).isZero();
    assertThat(retention.removeBelow(7)).isPositive();
    assertThat(firstLeft()).isEqualTo(7);
    assertThat(directory.runs()).hasSize(3);
    assertThat(retention.removeBelow(8)).isPositive();
    assertThat(firstLeft()).isEqualTo(8);
    assertThat(directory.runs()).extracting(LogRun::number).containsExactly(2, 3);
    assertThat(temporary.resolve("data/log/run-000001-00000000000000000001")).doesNotExist();
    assertThat(retention.removeBelow(1_000)).isPositive();
    assertThat(firstLeft()).isEqualTo(15);
    assertThat(files()).hasSize(1);
  }

  @Test
  void shouldTellTheBytesBetweenTwoSnapshots() throws IOException {
    run(7);
    run(5);
    LogSizes sizes = new LogSizes(directory);
    assertThat(sizes.hasFirstRecord()).isTrue();
    long bytes = Files.size(files().get(0));
    assertThat(sizes.between(0, 1)).as("of the same segment").isZero();
    assertThat(sizes.between(0, 2)).isEqualTo(bytes);
    assertThat(sizes.between(1, 4)).isEqualTo(bytes + Files.size(files().get(1)));
    assertThat(sizes.between(0, 1_000)).isEqualTo(sizes.between(0, 11));
    retention.removeBelow(5);
    assertThat(new LogSizes(directory).hasFirstRecord()).isFalse();
    assertThat(new LogSizes(directory).between(0, 4)).isZero();
  }

  @Test
  void shouldGoOnAppendingBesideIt() {
    run(5);
    try (CommandLog log = openLog()) {
      for (int round = 0; round < 30; round++) {
        append(log, 4);
        assertThat(retention.removeBelow(records.size())).isPositive();
        assertThat(files()).hasSizeBetween(1, 2);
        firstLeft();
      }
    }
    run(3);
    assertThat(directory.runs()).hasSize(2);
    assertThat(firstLeft()).isBetween(119L, 125L);
    assertThat(retention.removeBelow(records.size())).isPositive();
    assertThat(directory.runs()).hasSize(1);
  }

  @Test
  void shouldNotLetTheNewestRunGoThatIsStillEmpty() {
    run(3);
    try (CommandLog log = openLog()) {
      assertThat(retention.removeBelow(100)).isPositive();
      assertThat(firstLeft()).isEqualTo(3);
      assertThat(directory.runs()).hasSize(2);
      append(log, 2);
      assertThat(retention.removeBelow(4)).isPositive();
      assertThat(firstLeft()).isEqualTo(4);
    }
  }

  @Test
  void shouldRemoveWhatACutHasCutOff() {
    run(9);
    int count = 5;
    records.subList(count, records.size()).clear();
    LogRecord cut = LogRecord.cut(6);
    try (CommandLog log = openLog()) {
      cut.appendTo(log);
      records.add(cut);
      append(log, 6);
    }
    assertThat(files()).hasSize(5 + 3);
    assertThat(retention.removeBelow(5)).isPositive();
    assertThat(firstLeft()).isEqualTo(5);
    assertThat(retention.removeBelow(6)).isPositive();
    assertThat(directory.runs()).hasSize(1);
    assertThat(firstLeft()).isEqualTo(6);
  }

  @Test
  void shouldBeHarmlessWhereverItIsStopped() throws IOException {
    run(9);
    records.subList(5, records.size()).clear();
    try (CommandLog log = openLog()) {
      LogRecord cut = LogRecord.cut(6);
      cut.appendTo(log);
      records.add(cut);
      append(log, 6);
    }
    run(4);
    // Step by step what one call does: each segment, then the run.
    for (LogRun run : directory.runs().subList(0, 2)) {
      for (LogSegment segment : run.segments()) {
        Files.delete(segment.file());
        checkBehind(13);
        assertThat(firstLeft()).isLessThanOrEqualTo(13);
      }
      Files.delete(run.directory().resolve("metadata.cq4t"));
      checkBehind(13);
      assertThat(retention.removableBytes(13)).isNotNegative();
    }
    assertThat(directory.runs()).hasSize(3);
    assertThat(retention.removeBelow(13)).isZero();
    assertThat(directory.runs()).hasSize(1);
    checkBehind(13);
  }

  private void checkBehind(int sequence) {
    LogRecord.Collector collector = new LogRecord.Collector();
    new LogScanner(directory, HolePolicy.CUT_UNFORCED)
        .scanAfter(sequence, TAG, 1_000 + sequence, collector)
        .requireUndamaged();
    assertThat(collector.records).isEqualTo(records.subList(sequence, records.size()));
  }

  @Test
  void shouldKeepASegmentIfNothingSaysWhereItEnds() throws IOException {
    run(6);
    List<Path> files = files();
    for (Path file : files.subList(1, files.size())) {
      Files.write(file, new byte[1_000]);
    }
    assertThat(retention.removeBelow(100)).isZero();
    assertThat(files()).isEqualTo(files);
  }

  @Test
  void shouldRefuseADirectoryThatWasOpenedToRead() {
    run(6);
    LogRetention reading = new LogRetention(LogDirectory.read(directory.directory()));
    assertThat(reading.removableBytes(6)).isPositive();
    assertThatThrownBy(() -> reading.removeBelow(6))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("opened read-only");
    assertThat(firstLeft()).isEqualTo(1);
  }
}
