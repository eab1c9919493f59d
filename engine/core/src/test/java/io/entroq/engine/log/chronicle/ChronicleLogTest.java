package io.entroq.engine.log.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.CommandLogConformance;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChronicleLogTest extends CommandLogConformance {
  private static final int TAG = 0x7a677a67;

  @TempDir private Path temporary;
  private LogDirectory directory;

  @BeforeEach
  void openDirectory() {
    directory = LogDirectory.open(temporary.resolve("data"));
  }

  @AfterEach
  void closeDirectory() {
    directory.close();
  }

  @Override
  protected CommandLog open(LogConfig config) {
    return ChronicleLog.open(directory, config, TAG, 0, 0);
  }

  @Override
  protected List<LogRecord> readBack(CommandLog log) {
    LogRecord.Collector collector = new LogRecord.Collector();
    scan(collector);
    return collector.records;
  }

  private ScanReport scan(LogRecord.Collector collector) {
    ScanReport report = new LogScanner(directory, HolePolicy.REFUSE).scan(collector);
    assertThat(report.requireUndamaged().tornTail()).isNull();
    assertThat(report.strayBytes()).isZero();
    return report;
  }

  @Test
  void shouldStopWhileThereIsRoomOnTheDisk() {
    try (CommandLog log = open(SMALL.withReserveBytes(Long.MAX_VALUE / 2))) {
      assertThatThrownBy(() -> append(log, LogRecord.ofBytes(1, 700)))
          .isInstanceOfSatisfying(
              LogException.class,
              e -> assertThat(e.severity()).isEqualTo(LogException.Severity.FATAL))
          .hasMessageContaining("Record 1 was not appended to " + directory.directory())
          .hasMessageContaining("in reserve. Free some space");
      assertThat(log.appendedSequence()).isZero();
      assertThatThrownBy(() -> append(log, LogRecord.ofBytes(1, 700)))
          .isInstanceOf(LogException.class)
          .hasMessageContaining("has failed");
    }
    assertThat(scan(new LogRecord.Collector()).records()).isZero();
  }

  @Test
  void shouldGoOnInANewRunWhenOpenedAgain() {
    List<LogRecord> appended = new ArrayList<>();
    try (CommandLog log = open(SMALL)) {
      for (int i = 1; i <= 50; i++) {
        appended.add(append(log, LogRecord.ofBytes(i, 700)));
      }
    }
    try (CommandLog log = ChronicleLog.open(directory, SMALL, TAG, 50, 20)) {
      assertThat(log.appendedSequence()).isEqualTo(50);
      assertThat(log.forcedSequence()).isEqualTo(20);
      for (int i = 51; i <= 60; i++) {
        appended.add(append(log, LogRecord.ofBytes(i, 700)));
      }
      assertThat(readBack(log)).isEqualTo(appended);
    }
    assertThat(directory.runs()).extracting(run -> run.firstSequence()).containsExactly(1L, 51L);
    ScanReport report = scan(new LogRecord.Collector());
    assertThat(report.forcedSequence()).isEqualTo(20);
    assertThat(report.logTag()).isEqualTo(TAG);
    assertThat(report.lastLogTimeMs()).isEqualTo(1_060);
  }

  @Test
  void shouldLeaveNothingBehindWhenNothingWasAppended() {
    open(SMALL).close();
    CommandLog twice = open(SMALL);
    twice.close();
    twice.close();
    assertThat(directory.runs()).isEmpty();
    try (CommandLog log = open(SMALL)) {
      LogRecord first = append(log, LogRecord.of(1, "a"));
      assertThat(readBack(log)).containsExactly(first);
    }
    assertThat(directory.runs()).extracting(run -> run.number()).containsExactly(1);
  }

  @Test
  void shouldKeepSegmentsBelowTheirSizeAndNearEmptyOnesSmall() throws IOException {
    try (CommandLog log = open(SMALL)) {
      for (int i = 1; i <= 200; i++) {
        append(log, LogRecord.ofBytes(i, 500));
      }
    }
    List<LogSegment> segments = directory.runs().get(0).segments();
    assertThat(segments).hasSizeBetween(200 * 552 / (16 << 10), 200 * 552 / (15 << 10) + 1);
    for (LogSegment segment : segments) {
      Object blocks = blocksOf(segment.file());
      assertThat((long) blocks * 512).isLessThanOrEqualTo(24L << 10);
    }
  }

  private static long blocksOf(Path file) throws IOException {
    Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
    try (var reader = stat.inputReader()) {
      return Long.parseLong(reader.readLine());
    }
  }

  @Test
  void shouldEndEachFileBehindItsLastRecord() throws IOException {
    try (CommandLog log = open(SMALL)) {
      for (int i = 1; i <= 100; i++) {
        append(log, LogRecord.ofBytes(i, 500));
      }
      List<LogSegment> segments = directory.runs().get(0).segments();
      for (LogSegment segment : segments.subList(0, segments.size() - 1)) {
        assertThat(Files.size(segment.file())).isBetween(15L << 10, 16L << 10);
      }
    }
    for (LogSegment segment : directory.runs().get(0).segments()) {
      assertThat(Files.size(segment.file())).isLessThanOrEqualTo(16 << 10);
    }
    ScanReport report = scan(new LogRecord.Collector());
    assertThat(report.records()).isEqualTo(100);
    assertThat(report.loose()).isEmpty();
  }

  @Test
  void shouldLeaveTheFileAsItIsWhenItHasFailed() throws IOException {
    Forcer failing =
        (what, action) -> {
          throw new IOException("no such luck");
        };
    try (CommandLog log = open(SMALL.withForcer(failing))) {
      append(log, LogRecord.of(1, "a"));
      assertThatThrownBy(log::force).isInstanceOf(LogException.class);
    }
    Path file = directory.runs().get(0).segments().get(0).file();
    assertThat(Files.size(file)).isGreaterThan(16 << 10);
    assertThat(scan(new LogRecord.Collector()).loose()).containsOnlyKeys(file);
  }

  @Test
  void shouldForceFromSeveralThreadsOneAtATime() throws Exception {
    AtomicInteger inside = new AtomicInteger();
    Forcer alone =
        (what, action) -> {
          assertThat(inside.incrementAndGet()).isEqualTo(1);
          action.run();
          inside.decrementAndGet();
        };
    try (CommandLog log = open(SMALL.withForcer(alone))) {
      ExecutorService threads = Executors.newFixedThreadPool(3);
      List<Future<?>> forcing = new ArrayList<>();
      AtomicBoolean isDone = new AtomicBoolean();
      for (int i = 0; i < 3; i++) {
        forcing.add(
            threads.submit(
                () -> {
                  while (!isDone.get()) {
                    long sequence = log.appendedSequence();
                    log.force();
                    assertThat(log.forcedSequence()).isGreaterThanOrEqualTo(sequence);
                  }
                }));
      }
      for (int i = 1; i <= 3_000; i++) {
        append(log, LogRecord.ofBytes(i, 500));
      }
      isDone.set(true);
      for (Future<?> each : forcing) {
        each.get();
      }
      threads.shutdown();
      log.force();
      assertThat(log.forcedBytes()).isEqualTo(log.appendedBytes());
    }
  }

  @Test
  void shouldForceTheOldSegmentAndItsDirectoryBeforeTheNewOne() {
    List<String> forced = new ArrayList<>();
    Forcer recording =
        (what, action) -> {
          forced.add(Path.of(what).getFileName().toString());
          action.run();
        };
    try (CommandLog log = open(SMALL.withForcer(recording))) {
      append(log, LogRecord.of(1, "a"));
      log.force();
      assertThat(forced).containsExactly("run-000001-00000000000000000001", "19700101-00LX.cq4");
      forced.clear();
      append(log, LogRecord.of(2, "b"));
      append(log, LogRecord.ofBytes(3, 40_000));
      append(log, LogRecord.ofBytes(4, 40_000));
      log.force();
      assertThat(forced)
          .containsExactly(
              "19700101-00LX.cq4",
              "run-000001-00000000000000000001",
              "19700101-01LX.cq4",
              "run-000001-00000000000000000001",
              "19700101-02LX.cq4");
      forced.clear();
      log.force();
      assertThat(forced).isEmpty();
    }
  }

  @Test
  void shouldNotAdvanceWhenTheSecondOfTwoSegmentsFails() {
    Forcer failing =
        (what, action) -> {
          if (what.endsWith("01LX.cq4")) {
            throw new IOException("no such luck");
          }
          action.run();
        };
    try (CommandLog log = open(SMALL.withForcer(failing))) {
      append(log, LogRecord.ofBytes(1, 10_000));
      append(log, LogRecord.ofBytes(2, 10_000));
      assertThatThrownBy(log::force).isInstanceOf(LogException.class);
      assertThat(log.forcedSequence()).isZero();
    }
  }

  @Test
  void shouldAppendFromAnotherThreadThanTheOpening() throws Exception {
    try (CommandLog log = open(SMALL)) {
      Thread appending = new Thread(() -> append(log, LogRecord.of(1, "a")));
      appending.start();
      appending.join();
      assertThat(readBack(log)).containsExactly(LogRecord.of(1, "a"));
    }
  }

  @Test
  void shouldBeReadableWhileItIsAppendedTo() throws Exception {
    LogDirectory reading = LogDirectory.read(directory.directory());
    try (CommandLog log = open(LogConfig.defaults().withSegmentBytes(256 << 10))) {
      Thread appending = new Thread(() -> appendAndForce(log, 8_000));
      appending.start();
      long last = 0;
      while (appending.isAlive()) {
        HolePolicy policy = last % 2 == 0 ? HolePolicy.REFUSE : HolePolicy.CUT_UNFORCED;
        ScanReport report = new LogScanner(reading, policy).scan(new LogRecord.Collector());
        assertThat(report.damage()).isNull();
        assertThat(report.lastSequence()).isGreaterThanOrEqualTo(last);
        last = report.lastSequence();
      }
      appending.join();
      assertThat(readBack(log)).hasSize(8_000);
    }
  }

  private static void appendAndForce(CommandLog log, int count) {
    for (int i = 1; i <= count; i++) {
      append(log, LogRecord.ofBytes(i, i * 7 % 500));
      if (i % 1_000 == 0) {
        log.force();
      }
    }
  }

  @Test
  void shouldRefuseADirectoryThatWasOpenedToRead() {
    LogDirectory reading = LogDirectory.read(directory.directory());
    assertThatThrownBy(() -> ChronicleLog.open(reading, SMALL, TAG, 0, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("opened read-only");
    assertThat(Files.exists(directory.directory().resolve("lock"))).isTrue();
  }
}
