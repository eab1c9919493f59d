package io.entroq.engine.log.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.log.scan.LogOnDisk.Scanned;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage in records that a snapshot holds: what lies behind it is read, and somebody is told. */
class CoveredDamageTest {
  private static final int LAST = 12;

  @TempDir private Path temporary;
  private LogOnDisk log;
  private final List<Place> places = new ArrayList<>();

  private record Place(long sequence, Path file, int offset, int length) {}

  @BeforeEach
  void build() {
    log =
        new LogOnDisk(temporary.resolve("data"), LogOnDisk.CONFIG.withSegmentBytes(1 << 10))
            .run(30, 160, 200, -1, 0, 60, 200)
            .run(20, 200, 100, -1, 41, 0, 21);
    RecordFrame frame = new RecordFrame();
    for (Path file : log.segments()) {
      UnsafeBuffer bytes = new UnsafeBuffer(LogOnDisk.read(file));
      int at = SegmentLayout.FIRST_RECORD_OFFSET;
      while (at + 48 <= bytes.capacity() && bytes.getInt(at) == RecordFrame.MAGIC) {
        frame.verify(bytes, at, bytes.capacity() - at);
        places.add(new Place(frame.sequence(), file, at, frame.length()));
        at = (int) SegmentLayout.next(at, frame.length());
      }
    }
    assertThat(places).hasSize(LAST);
  }

  @Test
  void shouldGoOnFromASnapshotThoughARecordBelowItIsSpoiled() {
    spoil(11, 97, LAST);
  }

  @Test
  @Tag("long")
  void shouldGoOnFromASnapshotWhateverByteOfARecordBelowItIsSpoiled() {
    spoil(1, 17, 1);
  }

  private void spoil(int headerStep, int payloadStep, int afterStep) {
    for (Place place : places) {
      byte[] bytes = LogOnDisk.read(place.file);
      // Another part of each record's header.
      for (int at = place.offset + (int) (place.sequence % headerStep);
          at < place.offset + place.length;
          at += at < place.offset + 48 ? headerStep : payloadStep) {
        byte[] spoiled = bytes.clone();
        spoiled[at] ^= (byte) (1 << (at % 8));
        LogOnDisk.write(place.file, spoiled);
        for (long after = place.sequence; after <= LAST; after += afterStep) {
          assertAllBehind(after, place, at);
        }
      }
      LogOnDisk.write(place.file, bytes);
    }
  }

  @Test
  void shouldGoOnFromASnapshotWhenAllOfARecordBelowItIsZero() {
    for (Place place : places.subList(0, LAST - 1)) {
      byte[] bytes = LogOnDisk.read(place.file);
      byte[] spoiled = bytes.clone();
      Arrays.fill(spoiled, place.offset, place.offset + place.length, (byte) 0);
      LogOnDisk.write(place.file, spoiled);
      for (long after = place.sequence; after <= LAST; after++) {
        assertAllBehind(after, place, place.offset);
      }
      LogOnDisk.write(place.file, bytes);
    }
  }

  private void assertAllBehind(long after, Place place, int at) {
    for (HolePolicy policy : HolePolicy.values()) {
      Scanned scanned = log.scan(policy, after);
      String where = "%s, byte %d, after %d: %s".formatted(place, at, after, scanned.report());
      assertThat(scanned.report().isDamaged()).as(where).isFalse();
      assertThat(scanned.report().isTorn()).as(where).isFalse();
      assertThat(scanned.records()).as(where).isEqualTo(log.records.subList((int) after, LAST));
      assertThat(scanned.report().lastSequence()).as(where).isEqualTo(LAST);
      if (scanned.report().segments() == log.segments().size()) {
        assertThat(scanned.report().warnings()).as(where).hasSize(1);
      }
      for (LogWarning warning : scanned.report().warnings()) {
        assertThat(warning.text())
            .as(where)
            .contains(place.file.toString(), "offset " + place.offset, "record " + place.sequence)
            .contains("snapshot at record " + after);
      }
    }
  }

  @Test
  void shouldWarnOfEachPlaceInTheSegmentOfTheSnapshot() {
    for (Place place : places.subList(0, 3)) {
      byte[] bytes = LogOnDisk.read(place.file);
      bytes[place.offset + 20] ^= 1;
      LogOnDisk.write(place.file, bytes);
    }
    assertThat(log.scan(HolePolicy.REFUSE, 3).report().warnings()).isNotEmpty();
    assertThat(log.scan(HolePolicy.REFUSE, 3).records()).isEqualTo(log.records.subList(3, LAST));
    assertThat(log.scan(HolePolicy.REFUSE, 2).report().isDamaged()).isTrue();
  }

  @Test
  void shouldCutBehindTheSnapshotWhenNothingBehindItIsLeft() throws IOException {
    Place last = places.get(LAST - 1);
    LogOnDisk.write(last.file, Arrays.copyOf(LogOnDisk.read(last.file), last.offset));
    Damage damage = log.scan(HolePolicy.REFUSE, LAST).report().damage();
    assertThat(damage.advice()).contains("--cut-at " + (LAST + 1));
  }

  @Test
  void shouldOpenWhenTheLogWasCutRightBehindTheSnapshotAndWhatIsBelowIsBad() {
    byte[] spoiled = LogOnDisk.read(log.segments().get(0));
    Arrays.fill(spoiled, (byte) 0);
    LogOnDisk cut = new LogOnDisk(temporary.resolve("cut"));
    cut.run(30, 40, 50).cutAfter(2);
    UnsafeBuffer payload = new UnsafeBuffer(new byte[128]);
    Path file = Path.of("run-000001-00000000000000000001/19700101-00LX.cq4");
    int length = new TornTail(2, file, 0, 0, "cut").encodeCut(payload, 0);
    String text = new String(payload.byteArray(), 0, length, StandardCharsets.ISO_8859_1);
    cut.run(LogOnDisk.TAG, List.of(new LogRecord(RecordType.CUT, 3, 1_003, text)));
    LogOnDisk.write(cut.segments().get(0), spoiled);
    Scanned scanned = cut.scan(HolePolicy.REFUSE, 2);
    assertThat(scanned.report().isDamaged()).as("%s", scanned.report()).isFalse();
    assertThat(scanned.records()).isEqualTo(cut.records.subList(2, 3));
  }

  @Test
  void shouldWarnOfASegmentThatIsMissingBelow() throws IOException {
    Path missing = log.segments().get(2);
    Files.delete(missing);
    Scanned scanned = log.scan(HolePolicy.REFUSE, LAST - 1);
    assertThat(scanned.report().isDamaged()).isFalse();
    assertThat(scanned.report().warnings()).hasSize(1);
    assertThat(scanned.report().warnings().get(0).text()).contains(missing.getFileName() + " ");
  }

  @Test
  void shouldTellOfALastSegmentThatHasNoRecord() {
    Path last = log.segments().get(log.segments().size() - 1);
    Path next = last.resolveSibling(SegmentLayout.fileName(2));
    for (int length : new int[] {0, 1, 100, 403, 404, 451}) {
      LogOnDisk.write(next, new byte[length]);
      Scanned scanned = log.scan(HolePolicy.REFUSE);
      assertThat(scanned.records()).isEqualTo(log.records);
      assertThat(scanned.report().isDamaged()).as("%d", length).isFalse();
      assertThat(scanned.report().warnings()).as("%d", length).hasSize(1);
      assertThat(scanned.report().warnings().get(0).text()).contains(next.toString());
    }
    LogOnDisk.write(next, new byte[80 << 10]);
    assertThat(log.scan(HolePolicy.REFUSE).report().warnings()).isEmpty();
  }

  @Test
  void shouldCutALastSegmentThatWasCutInItsHeader() {
    Path last = log.segments().get(log.segments().size() - 1);
    byte[] bytes = LogOnDisk.read(last);
    for (int length : new int[] {40, 200, 403}) {
      LogOnDisk.write(last, Arrays.copyOf(bytes, length));
      ScanReport report = log.scan(HolePolicy.REFUSE).report();
      assertThat(report.isDamaged()).as("%d: %s", length, report.damage()).isFalse();
      assertThat(report.isTorn()).isTrue();
    }
  }

  @Test
  void shouldRefuseAFileThatIsNoSegment() {
    Path last = log.segments().get(log.segments().size() - 1);
    Path next = last.resolveSibling(SegmentLayout.fileName(2));
    for (int length : new int[] {3, 100, 403, 404, 5_000}) {
      LogOnDisk.write(
          next, "a note. ".repeat(1_000).substring(0, length).getBytes(StandardCharsets.UTF_8));
      for (long after = 0; after <= LAST; after++) {
        Damage damage = log.scan(HolePolicy.CUT_UNFORCED, after).report().damage();
        assertThat(damage).as("%d bytes after %d", length, after).isNotNull();
        assertThat(damage.file()).isEqualTo(next);
        assertThat(damage.what()).contains("not a segment");
        assertThat(damage.advice()).contains("Without it").doesNotContain("--cut-at");
      }
    }
  }

  @Test
  void shouldNotTakeARecordInAValueForTheNextOne() {
    // A value that holds what could be the record behind it, in a record whose length is spoiled.
    LogOnDisk other = new LogOnDisk(temporary.resolve("other")).run(40);
    String framed = new String(LogOnDisk.read(log.segments().get(0)), StandardCharsets.ISO_8859_1);
    LogRecord forged = LogRecord.of(2, "...." + framed.substring(places.get(2).offset));
    other.run(LogOnDisk.TAG, List.of(forged));
    Path file = other.segments().get(1);
    byte[] bytes = LogOnDisk.read(file);
    bytes[SegmentLayout.FIRST_RECORD_OFFSET + 5] ^= 1;
    LogOnDisk.write(file, bytes);
    Scanned scanned = other.scan(HolePolicy.REFUSE, 2);
    assertThat(scanned.records()).isEmpty();
  }
}
