package io.entroq.engine.log.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.log.scan.LogOnDisk.Scanned;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole files of a log that nobody has closed, copied, moved and exchanged. */
class PlacementTest {
  private static final int LAST = 22;

  /** Records that snapshots hold: of each run, and at its ends. */
  private static final long[] AFTER = {0, 1, 9, 14, 17, LAST - 1, LAST};

  private static final long[] FEW = {0, LAST - 1};

  @TempDir private Path temporary;
  private LogOnDisk log;
  private List<Path> segments;

  @BeforeEach
  void build() {
    log =
        new LogOnDisk(temporary.resolve("data"), LogOnDisk.CONFIG.withSegmentBytes(1 << 10))
            .run(30, 160, 200, -1, 300, 60, 200)
            .run(200, 200, 100, -1, 210, 210, 20, 210)
            .run(150, 170, 180, 190, 200)
            .cutAfter(14)
            .run(LogOnDisk.TAG, List.of(tornCut(), later(16, 251), later(17, 261), later(18, 171)))
            .run(
                LogOnDisk.TAG,
                List.of(later(19, 333), later(20, 247), later(21, 333), later(LAST, 333)));
    segments = log.segments();
    assertThat(segments).hasSizeGreaterThan(9);
    assertThat(log.scan(HolePolicy.REFUSE).records()).isEqualTo(log.records).hasSize(LAST);
  }

  /** As an engine cuts off a tail that was torn: names the segment of the tail. */
  private static LogRecord tornCut() {
    UnsafeBuffer payload = new UnsafeBuffer(new byte[128]);
    Path file = Path.of("run-000003-00000000000000000014/19700101-00LX.cq4");
    int length = new TornTail(14, file, 456, 9, "torn").encodeCut(payload, 0);
    String text = new String(payload.byteArray(), 0, length, StandardCharsets.ISO_8859_1);
    return new LogRecord(RecordType.CUT, 15, 2_015, text);
  }

  /** After the process had been started again. */
  private static LogRecord later(long sequence, int bytes) {
    LogRecord record = LogRecord.ofBytes(sequence, bytes);
    return new LogRecord(record.type(), sequence, 2_000 + sequence, record.payload());
  }

  private Scanned scan(HolePolicy policy, long after) {
    LogRecord.Collector collector = new LogRecord.Collector();
    long timeMs = after == 0 ? 0 : log.records.get((int) after - 1).logTimeMs();
    ScanReport report =
        new LogScanner(LogDirectory.read(log.directory), policy)
            .scanAfter(after, LogOnDisk.TAG, timeMs, collector);
    return new Scanned(report, collector.records);
  }

  @Test
  void shouldRefuseACopyOfASegmentBehindTheLastOfARun() throws IOException {
    refuseCopiesBehindTheLast(some(), FEW);
  }

  @Test
  @Tag("long")
  void shouldRefuseACopyOfAnySegmentBehindTheLastOfARun() throws IOException {
    refuseCopiesBehindTheLast(segments, AFTER);
  }

  private void refuseCopiesBehindTheLast(List<Path> originals, long[] after) throws IOException {
    for (Path original : originals) {
      for (LogRun run : runs()) {
        Path copy = run.directory().resolve(SegmentLayout.fileName(run.segments().size()));
        Files.copy(original, copy);
        assertRefused(copy, after);
        Files.delete(copy);
      }
    }
  }

  @Test
  void shouldRefuseACopyOfASegmentInThePlaceOfAnother() {
    refuseCopiesInPlace(some(), FEW);
  }

  @Test
  @Tag("long")
  void shouldRefuseACopyOfAnySegmentInThePlaceOfAnother() {
    refuseCopiesInPlace(segments, AFTER);
  }

  private void refuseCopiesInPlace(List<Path> originals, long[] after) {
    for (Path original : originals) {
      byte[] bytes = LogOnDisk.read(original);
      for (Path place : segments) {
        byte[] before = LogOnDisk.read(place);
        if (!place.equals(original)) {
          LogOnDisk.write(place, bytes);
          assertRefused(place, after);
          LogOnDisk.write(place, before);
        }
      }
    }
  }

  @Test
  void shouldRefuseSegmentsThatWereExchanged() {
    refuseExchanged(some(), FEW);
  }

  @Test
  @Tag("long")
  void shouldRefuseAnySegmentsThatWereExchanged() {
    refuseExchanged(segments, AFTER);
  }

  /** Each fourth of them, of several runs. */
  private List<Path> some() {
    List<Path> some = new ArrayList<>();
    for (int i = 1; i < segments.size(); i += 4) {
      some.add(segments.get(i));
    }
    return some;
  }

  private void refuseExchanged(List<Path> ones, long[] after) {
    for (Path one : ones) {
      for (Path other : segments.subList(segments.indexOf(one) + 1, segments.size())) {
        exchange(one, other);
        assertRefused(null, after);
        exchange(one, other);
      }
    }
  }

  @Test
  void shouldRefuseASegmentThatWasRenamed() throws IOException {
    for (Path file : segments) {
      Path renamed = file.resolveSibling(SegmentLayout.fileName(17));
      Files.move(file, renamed);
      for (long after = 0; after < LAST; after += 5) {
        Scanned scanned = scan(HolePolicy.CUT_UNFORCED, after);
        // Where nothing is read it may be in the right order all the same.
        boolean isTold =
            scanned.report().isDamaged()
                || !scanned.report().warnings().isEmpty()
                || isCutOff(file);
        assertThat(isTold).as("%s, after %d", file, after).isTrue();
      }
      Files.move(renamed, file);
    }
  }

  @Test
  void shouldRefuseACopyOfARunUnderALaterNumber() throws IOException {
    for (LogRun run : runs()) {
      Path copy = sibling(run, 9);
      copy(run.directory(), copy);
      assertRefused(copy);
      delete(copy);
    }
  }

  @Test
  void shouldRefuseRunsThatWereRenumbered() throws IOException {
    for (LogRun run : runs().subList(0, runs().size() - 1)) {
      Path renamed = Files.move(run.directory(), sibling(run, 9));
      for (long after = 0; after < LAST; after += 5) {
        Scanned scanned = scan(HolePolicy.CUT_UNFORCED, after);
        assertThat(scanned.report().isDamaged()).as("%s, after %d", renamed, after).isTrue();
      }
      Files.move(renamed, run.directory());
    }
  }

  @Test
  void shouldRefuseTwoRunsWithOneNumber() throws IOException {
    LogRun last = runs().get(runs().size() - 1);
    Path second = log.directory.resolve("log/run-%06d-%020d".formatted(last.number(), LAST + 1));
    copy(last.directory(), second);
    assertRefused(null);
  }

  @Test
  void shouldRefuseASegmentOfAnotherLog() {
    LogOnDisk other =
        new LogOnDisk(temporary.resolve("other"), LogOnDisk.CONFIG.withSegmentBytes(1 << 10));
    other.runOf(LogOnDisk.TAG + 1, 30, 160, 200, 300, 60, 200);
    for (int i = 0; i < other.segments().size(); i++) {
      byte[] before = LogOnDisk.read(segments.get(i));
      LogOnDisk.write(segments.get(i), LogOnDisk.read(other.segments().get(i)));
      for (long after = 1; after <= LAST; after++) {
        Damage damage = scan(HolePolicy.REFUSE, after).report().damage();
        assertThat(damage.file()).isEqualTo(segments.get(i));
        assertThat(damage.what()).contains("another log");
      }
      LogOnDisk.write(segments.get(i), before);
    }
  }

  @Test
  void shouldSayWhichNameASegmentHasByItsFirstRecord() throws IOException {
    List<Path> files = files(runs().get(0));
    Path renamed = Files.move(files.get(0), files.get(0).resolveSibling("19700102-00LX.cq4"));
    Damage damage = scan(HolePolicy.REFUSE, LAST - 1).report().damage();
    assertThat(damage.file()).isEqualTo(renamed);
    assertThat(damage.advice()).contains("19700101-00LX.cq4").doesNotContain("--cut-at");
  }

  @Test
  void shouldSayHowFarTheLogGoesWithoutACopy() throws IOException {
    Path last = segments.get(segments.size() - 1);
    Path copy = last.resolveSibling("19700101-07LX.cq4");
    Files.copy(segments.get(1), copy);
    Damage damage = scan(HolePolicy.REFUSE, LAST - 1).report().damage();
    assertThat(damage.advice()).contains("Without it, the log ends with record " + LAST);
    Files.delete(copy);
    assertThat(scan(HolePolicy.REFUSE, LAST - 1).report().isDamaged()).isFalse();
  }

  @Test
  void shouldRefuseACopyOfARunWhoseFirstSegmentsWereRemoved() throws IOException {
    LogRun run = runs().get(0);
    Path copy = sibling(run, 9);
    copy(run.directory(), copy);
    Files.delete(copy.resolve(SegmentLayout.fileName(0)));
    for (long after : AFTER) {
      Damage damage = scan(HolePolicy.CUT_UNFORCED, after).report().damage();
      assertThat(damage).as("after %d", after).isNotNull();
      assertThat(damage.file()).isEqualTo(copy);
    }
  }

  @Test
  void shouldRefuseASegmentThatWasPutWhereALaterRunHasCutTheLogOff() throws IOException {
    Path last = segments.get(segments.size() - 1);
    List<Path> cutOff = files(runs().get(2));
    Path place = last.resolveSibling("../" + cutOff.get(0).getParent().getFileName()).normalize();
    place = place.resolve(SegmentLayout.fileName(cutOff.size()));
    Files.copy(last, place);
    assertRefused(place);
    Files.delete(last);
    assertRefused(place);
  }

  @Test
  void shouldNameARunOfAnotherLogBehindTheLast() throws IOException {
    LogOnDisk other = new LogOnDisk(temporary.resolve("other"));
    other.runOf(LogOnDisk.TAG + 1, new int[19]).runOf(LogOnDisk.TAG + 1, 30, 160);
    Path foreign = LogDirectory.read(other.directory).runs().get(1).directory();
    Path place = log.directory.resolve("log/run-000009-%020d".formatted(20));
    copy(foreign, place);
    for (long after : AFTER) {
      Damage damage = scan(HolePolicy.REFUSE, after).report().damage();
      assertThat(damage.file()).as("after %d", after).isEqualTo(place);
    }
  }

  @Test
  void shouldNameACopyAndNotTheRunThatItIsOfWhoseBeginningIsGone() throws IOException {
    List<Path> one = files(runs().get(0));
    List<Path> two = files(runs().get(1));
    Path copy = one.get(0).resolveSibling(SegmentLayout.fileName(one.size()));
    Files.copy(two.get(1), copy);
    Files.delete(two.get(0));
    assertThat(scan(HolePolicy.REFUSE, LAST - 1).report().damage().file()).isEqualTo(copy);
  }

  @Test
  void shouldNameTheFileThatLacksRecordsInFrontOfASegment() {
    LogOnDisk.write(segments.get(0), new byte[0]);
    assertThat(scan(HolePolicy.REFUSE, 0).report().damage().what())
        .contains("19700101-00LX.cq4 before it has no record");
  }

  private List<LogRun> runs() {
    return LogDirectory.read(log.directory).runs();
  }

  private static List<Path> files(LogRun run) {
    List<Path> files = new ArrayList<>();
    run.segments().forEach(each -> files.add(each.file()));
    return files;
  }

  private static Path sibling(LogRun run, int number) {
    String name = "run-%06d-%020d".formatted(number, run.firstSequence());
    return run.directory().resolveSibling(name);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    for (Path file : Files.list(from).toList()) {
      Files.copy(file, to.resolve(file.getFileName()));
    }
  }

  private static void delete(Path directory) throws IOException {
    for (Path file : Files.list(directory).toList()) {
      Files.delete(file);
    }
    Files.delete(directory);
  }

  private static void exchange(Path one, Path other) {
    byte[] bytes = LogOnDisk.read(one);
    LogOnDisk.write(one, LogOnDisk.read(other));
    LogOnDisk.write(other, bytes);
  }

  /** Whether a later run has cut it off, so that nobody reads it. */
  private static boolean isCutOff(Path file) {
    return file.getParent().endsWith("run-000003-00000000000000000014")
        && !file.endsWith(SegmentLayout.fileName(0));
  }

  /**
   * Refused from wherever it is read.
   *
   * @param file that is named; null: one of several
   */
  private void assertRefused(Path file) {
    assertRefused(file, AFTER);
  }

  private void assertRefused(Path file, long[] afters) {
    for (HolePolicy policy : HolePolicy.values()) {
      for (long after : afters) {
        Scanned scanned = scan(policy, after);
        Damage damage = scanned.report().damage();
        if (damage == null && file != null && isCutOff(file)) {
          assertThat(scanned.records()).isEqualTo(log.records.subList((int) after, LAST));
          continue;
        }
        assertThat(damage).as("%s, after %d, %s", file, after, policy).isNotNull();
        if (file != null) {
          assertThat(damage.advice() + damage.what() + damage.file())
              .as("%s, after %d, %s", file, after, policy)
              // Where nothing is read, one is as good as the others of its run.
              .contains((isCutOff(file) ? file.getParent() : file).getFileName().toString());
        }
        assertThat(damage.advice()).doesNotContain("--cut-at");
      }
    }
  }
}
