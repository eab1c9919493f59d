package io.entroq.engine.log.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.log.scan.LogOnDisk.Scanned;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spoils a small log of two runs and three segments in every place. Whatever comes of it is a
 * prefix of what was appended, or a refusal; and what a later record proves to have been on the
 * disk is never cut.
 */
class LogCorruptionTest {
  private static final int FORCE = -1;
  private static final int FIRST = SegmentLayout.FIRST_RECORD_OFFSET;

  @TempDir private Path temporary;
  private LogOnDisk log;
  private Map<Path, byte[]> image;

  /** For each file the records in it: sequence and forced sequence. */
  private final Map<Path, List<long[]>> written = new TreeMap<>();

  @BeforeEach
  void build() {
    log =
        new LogOnDisk(temporary.resolve("data"), LogOnDisk.CONFIG.withSegmentBytes(1 << 10))
            .run(30, 160, FORCE, 61, 0, FORCE, 170, 17)
            .run(33, FORCE, 47);
    image = log.image();
    assertThat(image).hasSize(3);
    image.forEach((file, bytes) -> written.put(file, recordsIn(bytes)));
    assertThat(log.scan(HolePolicy.REFUSE).records()).isEqualTo(log.records);
  }

  @Test
  void shouldNeverInventAnythingWhenAnyByteIsSpoiled() {
    for (Map.Entry<Path, byte[]> entry : image.entrySet()) {
      byte[] bytes = entry.getValue();
      int end = Math.min(bytes.length, LogOnDisk.usedBytes(bytes) + 64);
      for (int at = 0; at < end; at++) {
        byte[] spoiled = bytes.clone();
        spoiled[at] ^= (byte) (1 << (at % 8));
        check(entry.getKey(), spoiled, at, at < FIRST - SegmentLayout.WORD_BYTES);
      }
      LogOnDisk.write(entry.getKey(), bytes);
    }
  }

  @Test
  void shouldNeverInventAnythingWhenAFileIsCutShortAnywhere() {
    for (Map.Entry<Path, byte[]> entry : image.entrySet()) {
      byte[] bytes = entry.getValue();
      int end = Math.min(bytes.length, LogOnDisk.usedBytes(bytes) + 16);
      for (int length = 0; length < end; length++) {
        check(entry.getKey(), Arrays.copyOf(bytes, length), length, false);
      }
      LogOnDisk.write(entry.getKey(), bytes);
    }
  }

  @Test
  void shouldNeverInventAnythingWhenABlockIsLost() {
    for (Map.Entry<Path, byte[]> entry : image.entrySet()) {
      byte[] bytes = entry.getValue();
      for (int block = 64; block <= 1_024; block *= 2) {
        for (int at = 0; at < LogOnDisk.usedBytes(bytes); at += block) {
          byte[] spoiled = bytes.clone();
          Arrays.fill(spoiled, at, Math.min(spoiled.length, at + block), (byte) 0);
          check(entry.getKey(), spoiled, at, false);
        }
      }
      LogOnDisk.write(entry.getKey(), bytes);
    }
  }

  private void check(Path file, byte[] spoiled, int at, boolean mustBeWhole) {
    LogOnDisk.write(file, spoiled);
    for (HolePolicy policy : HolePolicy.values()) {
      Scanned scanned = log.scan(policy);
      List<LogRecord> found = scanned.records();
      Supplier<String> where =
          () -> "%s of %s, byte %d: %s".formatted(policy, file, at, scanned.report());
      assertThat(log.records.size()).as(where).isGreaterThanOrEqualTo(found.size());
      assertThat(found).as(where).isEqualTo(log.records.subList(0, found.size()));
      assertThat(scanned.report().lastSequence()).as(where).isEqualTo(found.size());
      if (mustBeWhole) {
        assertThat(found).as(where).hasSameSizeAs(log.records);
        assertThat(scanned.report().isTorn()).as(where).isFalse();
      }
      if (!scanned.report().isDamaged()) {
        assertNothingProvenIsLost(file, found.size(), policy, where);
      }
    }
  }

  /** No file that was left alone holds a record that forbids the cut. */
  private void assertNothingProvenIsLost(
      Path spoiled, int kept, HolePolicy policy, Supplier<String> where) {
    for (Map.Entry<Path, List<long[]>> entry : written.entrySet()) {
      for (long[] record : entry.getKey().equals(spoiled) ? List.<long[]>of() : entry.getValue()) {
        if (record[0] > kept) {
          assertThat(policy).as(where).isEqualTo(HolePolicy.CUT_UNFORCED);
          assertThat(record[1]).as(where).isLessThanOrEqualTo(kept);
        }
      }
    }
  }

  private static List<long[]> recordsIn(byte[] bytes) {
    List<long[]> records = new ArrayList<>();
    UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    RecordFrame frame = new RecordFrame();
    int at = FIRST;
    while (frame.check(buffer, at, bytes.length - at) == RecordFault.NONE) {
      records.add(new long[] {frame.sequence(), frame.forcedSequence()});
      at = (int) SegmentLayout.next(at, frame.length());
    }
    return records;
  }
}
