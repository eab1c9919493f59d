package io.entroq.engine.log.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.LogDamagedException;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.log.scan.LogOnDisk.Scanned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LogScannerTest {
  private static final int FIRST = SegmentLayout.FIRST_RECORD_OFFSET;
  private static final int FORCE = -1;

  @TempDir private Path temporary;

  private LogOnDisk log() {
    return new LogOnDisk(temporary.resolve("data"));
  }

  @Test
  void shouldFindNothingInAnEmptyLog() {
    Scanned scanned = log().run().scan(HolePolicy.REFUSE);
    assertThat(scanned.records()).isEmpty();
    assertThat(scanned.report().isTorn()).isFalse();
    assertThat(scanned.report().isDamaged()).isFalse();
    assertThat(scanned.report().endFile()).isNull();
  }

  @Test
  void shouldSayWhereTheLogEnds() {
    LogOnDisk log = log().run(100, 3_900, FORCE, 100).run(60, FORCE, 60);
    ScanReport report = log.scan(HolePolicy.REFUSE).report();
    assertThat(report.records()).isEqualTo(5);
    assertThat(report.lastSequence()).isEqualTo(5);
    assertThat(report.segments()).isEqualTo(4);
    assertThat(report.endFile()).isEqualTo(log.segments().get(3));
    assertThat(report.endOffset()).isEqualTo(FIRST + 2 * 112);
    assertThat(report.forcedSequence()).isEqualTo(4);
    assertThat(report.unforced()).containsExactly(log.segments().get(3));
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldCutATornLastRecord(HolePolicy policy) {
    LogOnDisk log = log().run(100, 100, 100);
    flip(log.segments().get(0), FIRST + 2 * 152 + 60);
    Scanned scanned = log.scan(policy);
    assertThat(scanned.records()).isEqualTo(log.records.subList(0, 2));
    TornTail tail = scanned.report().tornTail();
    assertThat(tail.afterSequence()).isEqualTo(2);
    assertThat(tail.file()).isEqualTo(log.segments().get(0));
    assertThat(tail.offset()).isEqualTo(FIRST + 2 * 152);
    assertThat(tail.nonZeroBytes()).isBetween(100L, 152L);
    assertThat(tail.what()).contains("checksum of the payload (100 bytes of record 3)");
  }

  @Test
  void shouldSayInWhichFileAndWhereEachRecordLies() {
    LogOnDisk log = log().run(100, 3_900, FORCE, 100).run(60);
    List<Path> files = new ArrayList<>();
    RecordFrame frame = new RecordFrame();
    RecordHandler placed =
        new RecordHandler() {
          @Override
          public void onSegment(Path file) {
            files.add(file);
          }

          @Override
          public void onRecord(
              int type,
              long sequence,
              long logTimeMs,
              int payloadCrc,
              DirectBuffer payload,
              int offset,
              int length) {
            Path file = files.get(files.size() - 1);
            UnsafeBuffer bytes = new UnsafeBuffer(readAll(file));
            int at = offset - RecordFrame.HEADER_BYTES;
            assertThat(frame.check(bytes, at, bytes.capacity() - at)).isEqualTo(RecordFault.NONE);
            assertThat(frame.sequence()).isEqualTo(sequence);
          }
        };
    new LogScanner(LogDirectory.read(log.directory), HolePolicy.REFUSE).scan(placed);
    assertThat(files).isEqualTo(log.segments());
  }

  /** A look that ends early, as a file is gone, changes nothing of where the next one goes on. */
  @Test
  void shouldGoOnBehindTheLastRecordGivenThoughFilesGoWhileItLooks() throws IOException {
    LogOnDisk log = log().run(100, 3_900, 3_900, 100).run(60);
    Path second = log.segments().get(1);
    Path last = log.segments().get(log.segments().size() - 1);
    Path away = temporary.resolve("away");
    LogDirectory directory = LogDirectory.read(log.directory);
    List<LogRun> all = directory.runs();
    AtomicInteger looks = new AtomicInteger();
    Supplier<List<LogRun>> runs =
        () -> {
          int look = looks.incrementAndGet();
          if (look == 2) {
            move(away, last);
            move(second, away);
          } else if (look == 3) {
            move(away, second);
          }
          return all;
        };
    LogRecord.Collector collector =
        new LogRecord.Collector() {
          @Override
          public void onSegment(Path file) {
            if (looks.get() == 1 && Files.exists(last)) {
              move(last, away);
            }
          }
        };
    ScanReport report =
        new LogScanner(directory, runs, HolePolicy.CUT_UNFORCED, Set.of()).scan(collector);
    report.requireUndamaged();
    assertThat(looks).hasValue(3);
    assertThat(collector.records).isEqualTo(log.records);
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] readAll(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldSayWhichSegmentTheDiskFailsToGiveBack() {
    LogOnDisk log = log().run(100, 100, 100);
    LogScanner scanner = new LogScanner(LogDirectory.read(log.directory), HolePolicy.REFUSE);
    RecordHandler failing =
        (type, sequence, logTimeMs, payloadCrc, payload, offset, length) -> {
          if (sequence == 2) {
            // What the JVM makes of a page that cannot be read.
            throw new InternalError("a fault occurred in a recent unsafe memory access operation");
          }
        };
    assertThatThrownBy(() -> scanner.scan(failing))
        .isInstanceOf(LogException.class)
        .hasMessageContaining(log.segments().get(0) + " near offset " + (FIRST + 152))
        .hasMessageContaining("record 2");
  }

  @Test
  void shouldCutAHoleOfALogThatIsForcedUnlessItWasForced() {
    LogOnDisk log = log().run(100, FORCE, 100, 100, 100);
    flip(log.segments().get(0), FIRST + 152 + 60);
    Scanned cut = log.scan(HolePolicy.CUT_UNFORCED);
    assertThat(cut.report().isDamaged()).isFalse();
    assertThat(cut.records()).isEqualTo(log.records.subList(0, 1));
    assertThat(cut.report().tornTail().afterSequence()).isEqualTo(1);

    Damage damage = log.scan(HolePolicy.REFUSE).report().damage();
    assertThat(damage.what()).contains("2 valid records follow it, up to 4");
  }

  @Test
  void shouldRefuseAHoleThatHadBeenForced() {
    LogOnDisk log = log().run(100, 100, FORCE, 100, 100);
    flip(log.segments().get(0), FIRST + 152 + 60);
    ScanReport report = log.scan(HolePolicy.CUT_UNFORCED).report();
    assertThat(report.damage().sequence()).isEqualTo(2);
    assertThatThrownBy(report::requireUndamaged)
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining(log.segments().get(0) + " at offset " + (FIRST + 152) + ", record 2")
        .hasMessageContaining("prove that everything up to 2 was on the disk")
        .hasMessageContaining("Restore the directory from a backup")
        .hasMessageContaining("`entroq log repair " + log.directory + " --cut-at 2` keeps")
        .hasMessageContaining("records up to 1 and permanently discards record 2");
  }

  @Test
  void shouldGoOnBehindACut() {
    LogOnDisk log = log().run(100, FORCE, 100, 100, 100);
    flip(log.segments().get(0), FIRST + 152 + 60);
    log.cutAfter(1).run(LogOnDisk.TAG, List.of(LogRecord.cut(2), LogRecord.ofBytes(3, 50)));
    for (HolePolicy policy : HolePolicy.values()) {
      assertWhole(log, policy);
    }
    log.run(70, 80);
    assertWhole(log, HolePolicy.REFUSE);
  }

  @Test
  void shouldGoOnBehindACutThatWasTornItself() {
    LogOnDisk log = log().run(100, FORCE, 100);
    flip(log.segments().get(0), FIRST + 152 + 60);
    log.cutAfter(1).run(LogOnDisk.TAG, List.of(LogRecord.cut(2)));
    flip(log.segments().get(1), FIRST + 49);
    assertThat(log.scan(HolePolicy.REFUSE).report().tornTail().afterSequence()).isEqualTo(1);
    log.cutAfter(1).run(LogOnDisk.TAG, List.of(LogRecord.cut(2), LogRecord.ofBytes(3, 9)));
    assertWhole(log, HolePolicy.REFUSE);
    assertThat(log.segments()).hasSize(3);
  }

  @Test
  void shouldRefuseWhenACutOfGoodRecordsIsLost() {
    LogOnDisk log = log().run(100, 100, 100, FORCE, 100);
    log.cutAfter(2).run(LogOnDisk.TAG, List.of(LogRecord.cut(3), LogRecord.ofBytes(4, 9)));
    flip(log.segments().get(1), FIRST + 20);
    for (HolePolicy policy : HolePolicy.values()) {
      Damage damage = log.scan(policy).report().damage();
      assertThat(damage.what())
          .contains("the run begins with 3 again")
          .contains("valid records follow it, up to 4");
    }
  }

  @Test
  void shouldGoOnWhenACutOfGoodRecordsWasTorn() {
    LogOnDisk log = log().run(100, 100, 100, FORCE, 100);
    log.cutAfter(2).run(LogOnDisk.TAG, List.of(LogRecord.cut(3)));
    flip(log.segments().get(1), FIRST + 20);
    for (long after = 0; after <= 4; after++) {
      Scanned scanned = log.scan(HolePolicy.REFUSE, after);
      assertThat(scanned.report().isDamaged()).as("after %d", after).isFalse();
      assertThat(scanned.report().lastSequence()).isEqualTo(4);
    }
  }

  @Test
  void shouldObeyAnOperatorsCutOfGoodRecords() {
    LogOnDisk log = log().run(100, 100, 100, FORCE, 100).run(50, 50);
    log.cutAfter(2).run(LogOnDisk.TAG, List.of(LogRecord.cut(3), LogRecord.ofBytes(4, 9)));
    assertWhole(log, HolePolicy.REFUSE);
  }

  @Test
  void shouldBeginAnewWhenTheFirstRecordWasTorn() {
    LogOnDisk log = log().run(100);
    flip(log.segments().get(0), FIRST + 20);
    Scanned scanned = log.scan(HolePolicy.REFUSE);
    assertThat(scanned.records()).isEmpty();
    assertThat(scanned.report().tornTail().afterSequence()).isZero();
    log.cutAfter(0).runOf(LogOnDisk.TAG + 1, 50, 50);
    assertWhole(log, HolePolicy.REFUSE);
  }

  @Test
  void shouldRefuseWhenAMissingSegmentLeavesAGap() throws IOException {
    for (int missing = 0; missing < 3; missing++) {
      LogOnDisk log = new LogOnDisk(temporary.resolve("missing-" + missing));
      log.run(3_000, FORCE, 3_000, FORCE, 3_000, FORCE, 3_000);
      Files.delete(log.segments().get(missing));
      for (HolePolicy policy : HolePolicy.values()) {
        Scanned scanned = log.scan(policy);
        assertThat(scanned.report().damage().sequence()).isEqualTo(missing + 1);
        assertThat(scanned.records()).isEqualTo(log.records.subList(0, missing));
      }
    }
  }

  @Test
  void shouldRefuseWhenARunIsMissing() throws IOException {
    LogOnDisk log = log().run(100, 100).run(100, 100).run(100);
    Path run = log.segments().get(1).getParent();
    Files.move(run, temporary.resolve("elsewhere"));
    Damage damage = log.scan(HolePolicy.CUT_UNFORCED).report().damage();
    assertThat(damage.sequence()).isEqualTo(3);
    assertThat(damage.what()).startsWith("records 3 to 4 are missing: the run begins with 5");
  }

  @Test
  void shouldRefuseWhenTheBeginningIsMissing() throws IOException {
    LogOnDisk log = log().run(100, 100).run(100, 100);
    Files.move(log.segments().get(0).getParent(), temporary.resolve("elsewhere"));
    for (HolePolicy policy : HolePolicy.values()) {
      assertThat(log.scan(policy).report().damage().sequence()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldRefuseWhenTheEndIsMissingThatALaterRunHasSeen(HolePolicy policy) throws IOException {
    LogOnDisk log = log().run(100, 100, 100, 100);
    emptyRun(log, 5);
    assertWhole(log, policy);
    Path file = log.segments().get(0);
    byte[] bytes = LogOnDisk.read(file);
    for (int length : new int[] {FIRST + 2 * 152 + 70, FIRST + 2 * 152 - 4, FIRST + 2 * 152}) {
      LogOnDisk.write(file, Arrays.copyOf(bytes, length));
      Scanned scanned = log.scan(policy);
      assertThat(scanned.records()).isEqualTo(log.records.subList(0, 2));
      assertThat(scanned.report().isTorn()).isFalse();
      Damage damage = scanned.report().damage();
      assertThat(damage.sequence()).isEqualTo(3);
      assertThat(damage.file()).isEqualTo(file);
      assertThat(damage.what())
          .contains("records 3 to 4 are missing")
          .contains("run-000002-00000000000000000005 was created")
          .contains("was readable up to 4");
    }
    Files.delete(file);
    Damage damage = log.scan(policy).report().damage();
    assertThat(damage.what()).startsWith("records 1 to 4 are missing");
    assertThat(damage.advice()).contains("backup").doesNotContain("--cut-at");
  }

  @Test
  void shouldRefuseWhenTheEndIsMissingThatALaterTornRunHasSeen() {
    LogOnDisk log = log().run(100, 100, 100).run(100);
    flip(log.segments().get(1), FIRST + 20);
    assertThat(log.scan(HolePolicy.REFUSE).report().tornTail().afterSequence()).isEqualTo(3);
    flip(log.segments().get(0), FIRST + 2 * 152 + 60);
    for (HolePolicy policy : HolePolicy.values()) {
      ScanReport report = log.scan(policy).report();
      assertThat(report.damage().what()).contains("record 3 is missing");
      assertThat(report.damage().sequence()).isEqualTo(3);
    }
  }

  @Test
  void shouldGoOnWhenARunWasMadeToNameACutAndDidNot() {
    LogOnDisk log = log().run(100, 100, 100);
    flip(log.segments().get(0), FIRST + 2 * 152 + 60);
    emptyRun(log, 3);
    for (HolePolicy policy : HolePolicy.values()) {
      ScanReport report = log.scan(policy).report();
      assertThat(report.isDamaged()).isFalse();
      assertThat(report.tornTail().afterSequence()).isEqualTo(2);
    }
  }

  @Test
  void shouldTakeBackWhatARunHasSeenWhenTheLogIsCutBeforeIt() {
    LogOnDisk log = log().run(100, 100, 100, 100);
    emptyRun(log, 5);
    flip(log.segments().get(0), FIRST + 2 * 152 + 60);
    assertThat(log.scan(HolePolicy.CUT_UNFORCED).report().isDamaged()).isTrue();
    log.cutAfter(2).run(LogOnDisk.TAG, List.of(LogRecord.cut(3), LogRecord.ofBytes(4, 9)));
    for (HolePolicy policy : HolePolicy.values()) {
      assertWhole(log, policy);
    }
    emptyRun(log, 5);
    assertWhole(log, HolePolicy.REFUSE);
  }

  /** As an opening leaves it that is killed before its first record. */
  private static void emptyRun(LogOnDisk log, long firstSequence) {
    try (LogDirectory directory = LogDirectory.open(log.directory)) {
      directory.newRun(firstSequence);
    }
  }

  @Test
  void shouldRefuseDoubledSequences() throws IOException {
    LogOnDisk log = log().run(100, 100, 100).run(100);
    Path run = log.segments().get(1).getParent();
    Files.move(run, run.resolveSibling("run-000002-00000000000000000003"));
    Damage damage = log.scan(HolePolicy.CUT_UNFORCED).report().damage();
    assertThat(damage.sequence()).isEqualTo(4);
    assertThat(damage.what()).contains("named for record 3 and begins with 4");
  }

  @Test
  void shouldRefuseARunThatBeginsOnceMore() {
    LogOnDisk log = log().run(100, 100, 100);
    log.cutAfter(1).run(100, 100);
    Damage damage = log.scan(HolePolicy.CUT_UNFORCED).report().damage();
    assertThat(damage.what()).contains("the run begins with 2 again");
  }

  @Test
  void shouldRefuseASecondBeginning() {
    LogOnDisk log = log().run(100, 100);
    log.cutAfter(0).run(100);
    Damage damage = log.scan(HolePolicy.CUT_UNFORCED).report().damage();
    assertThat(damage.what()).contains("a log begins here, and again in");
  }

  @Test
  void shouldRefuseRecordsOfAnotherLog() {
    LogOnDisk log = log().run(100, 100).runOf(LogOnDisk.TAG + 1, 100, 100);
    Damage damage = log.scan(HolePolicy.CUT_UNFORCED).report().damage();
    assertThat(damage.sequence()).isEqualTo(3);
    assertThat(damage.what()).contains("a record of another log");
  }

  @Test
  void shouldRefuseALogTimeThatGoesBack() {
    LogRecord early = new LogRecord(RecordType.TICK, 3, 5, "");
    LogOnDisk log = log().run(10, 10).run(LogOnDisk.TAG, List.of(early));
    Damage damage = log.scan(HolePolicy.CUT_UNFORCED).report().damage();
    assertThat(damage.what()).contains("log time is 5, below 1002 of the previous record");
  }

  @Test
  void shouldNameARecordOfALaterBuild() {
    LogOnDisk log = log().run(10, 10, 10);
    Path file = log.segments().get(0);
    byte[] bytes = LogOnDisk.read(file);
    UnsafeBuffer record = new UnsafeBuffer(bytes, FIRST + 64, 58);
    record.putByte(9, (byte) 2);
    record.putInt(44, new Crc32c().of(record, 0, 44), ByteOrder.LITTLE_ENDIAN);
    LogOnDisk.write(file, bytes);
    assertThatThrownBy(() -> log.scan(HolePolicy.CUT_UNFORCED))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("Record 2")
        .hasMessageContaining("schema version 2")
        .hasMessageContaining("Use that build");
  }

  @Test
  void shouldNotTakeAnOlderRecordInsideAValueForProof() {
    LogOnDisk log = log().run(40, FORCE, 40, FORCE, 40);
    byte[] old = LogOnDisk.read(log.segments().get(0));
    String copy = new String(old, FIRST, 92 + 4 + 88, StandardCharsets.ISO_8859_1);
    LogRecord holding = LogRecord.of(4, copy + copy);
    log.run(LogOnDisk.TAG, List.of(holding));
    assertWhole(log, HolePolicy.REFUSE);
    for (int at = FIRST; at < FIRST + 48 + holding.payload().length(); at++) {
      flip(log.segments().get(1), at);
      Scanned scanned = log.scan(HolePolicy.REFUSE);
      assertThat(scanned.report().damage()).isNull();
      assertThat(scanned.records()).isEqualTo(log.records.subList(0, 3));
      flip(log.segments().get(1), at);
    }
  }

  @Test
  void shouldNeverGiveOutARecordFromInsideAValue() {
    LogOnDisk log = log().run(40, 40);
    LogRecord forged = LogRecord.of(3, "forged by somebody who knows the tag and the sequence");
    log.run(LogOnDisk.TAG, List.of(LogRecord.of(3, "...." + framed(forged, 0))));
    assertWhole(log, HolePolicy.REFUSE);
    for (int at = FIRST; at < FIRST + 52; at++) {
      flip(log.segments().get(1), at);
      for (HolePolicy policy : HolePolicy.values()) {
        assertThat(log.scan(policy).records()).isEqualTo(log.records.subList(0, 2));
      }
      flip(log.segments().get(1), at);
    }
  }

  @Test
  void shouldIgnoreBytesOfChronicle() {
    LogOnDisk log = log().run(40, 40, 3_990, 40).run(40);
    for (Path file : log.segments()) {
      byte[] bytes = LogOnDisk.read(file);
      Arrays.fill(bytes, 0, FIRST, (byte) 0x5a);
      LogOnDisk.write(file, bytes);
    }
    flip(log.segments().get(0), FIRST + 88);
    flip(log.segments().get(0), FIRST + 89);
    assertWhole(log, HolePolicy.REFUSE);
  }

  @Test
  void shouldPassOverStrayBytesBetweenSegments() {
    LogOnDisk log = log().run(3_000, FORCE, 3_000).run(40);
    Path file = log.segments().get(0);
    LogOnDisk.write(file, Arrays.copyOf(LogOnDisk.read(file), FIRST + 3_048 + 200));
    flip(file, FIRST + 3_048 + 100);
    Scanned scanned = log.scan(HolePolicy.CUT_UNFORCED);
    assertThat(scanned.records()).isEqualTo(log.records);
    assertThat(scanned.report().isDamaged()).isFalse();
    assertThat(scanned.report().strayBytes()).isEqualTo(6);
  }

  private static String framed(LogRecord record, long forced) {
    UnsafeBuffer payload = new UnsafeBuffer(record.payload().getBytes(StandardCharsets.ISO_8859_1));
    UnsafeBuffer target = new UnsafeBuffer(new byte[48 + payload.capacity()]);
    int crc = new Crc32c().of(payload, 0, payload.capacity());
    new RecordFrame()
        .write(
            target,
            0,
            record.type(),
            record.sequence(),
            forced,
            record.logTimeMs(),
            LogOnDisk.TAG,
            crc,
            payload,
            0,
            payload.capacity());
    return new String(target.byteArray(), StandardCharsets.ISO_8859_1);
  }

  private static void assertWhole(LogOnDisk log, HolePolicy policy) {
    Scanned scanned = log.scan(policy);
    scanned.report().requireUndamaged();
    assertThat(scanned.report().tornTail()).isNull();
    assertThat(scanned.records()).isEqualTo(log.records);
  }

  private static void flip(Path file, int at) {
    byte[] bytes = LogOnDisk.read(file);
    bytes[at] ^= 0x10;
    LogOnDisk.write(file, bytes);
  }
}
