package io.entroq.engine.log.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.log.retention.LogRetention;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spoils a small log of many runs and segments, whose beginning retention has removed, and reads it
 * from behind each record that a snapshot might hold. What is given out is always the true records
 * behind that one, or a beginning of them; and fewer than all only if the log says so.
 */
class ScanAfterCorruptionTest {
  private static final int FORCE = -1;
  private static final int FIRST = SegmentLayout.FIRST_RECORD_OFFSET;

  /** 1 for every byte, which takes a while. */
  private static final int STRIDE = Integer.getInteger("test.stride", 3);

  @TempDir private Path temporary;
  private LogOnDisk log;
  private Map<Path, byte[]> image;
  private long first;

  @BeforeEach
  void build() {
    log =
        new LogOnDisk(temporary.resolve("data"), LogOnDisk.CONFIG.withSegmentBytes(1 << 10))
            .run(30, 160, 200, FORCE, 300, 60)
            .run(200, 200, 100, FORCE, 210, 210, 20)
            .run(150, 170, 180, FORCE, 190, 200, 33)
            .cutAfter(14)
            .run(
                LogOnDisk.TAG,
                List.of(
                    LogRecord.cut(15),
                    LogRecord.ofBytes(16, 251),
                    LogRecord.ofBytes(17, 261),
                    LogRecord.ofBytes(18, 71)))
            .run(33, FORCE, 47);
    try (LogDirectory directory = LogDirectory.open(log.directory)) {
      assertThat(new LogRetention(directory).removeBelow(9)).isPositive();
    }
    image = log.image();
    first = log.scan(HolePolicy.REFUSE, 9).report().lastSequence();
    assertThat(first).isEqualTo(20);
    LogRecord.Collector there = new LogRecord.Collector();
    first = scanner(HolePolicy.REFUSE).scan(there).firstSequence();
    assertThat(first).isBetween(7L, 9L);
    assertThat(there.records).isEqualTo(behind(first - 1));
  }

  private LogScanner scanner(HolePolicy policy) {
    return new LogScanner(LogDirectory.read(log.directory), policy);
  }

  private List<LogRecord> behind(long sequence) {
    return log.records.subList((int) sequence, log.records.size());
  }

  @Test
  void shouldReadFromBehindEachRecordThatIsLeft() {
    for (HolePolicy policy : HolePolicy.values()) {
      for (long after = first - 1; after <= 20; after++) {
        LogOnDisk.Scanned scanned = log.scan(policy, after);
        scanned.report().requireUndamaged();
        assertThat(scanned.report().isTorn()).isFalse();
        assertThat(scanned.records()).isEqualTo(behind(after));
        assertThat(scanned.report().lastSequence()).isEqualTo(20);
        assertThat(scanned.report().records()).isEqualTo(20 - after);
        assertThat(scanned.report().firstSequence()).isEqualTo(after == 20 ? 0 : after + 1);
        assertThat(scanned.report().lastLogTimeMs()).isEqualTo(1_020);
      }
      for (long after : new long[] {0, 1, first - 2, 21, 22, 1_000}) {
        LogOnDisk.Scanned scanned = log.scan(policy, after);
        assertThat(scanned.records()).isEmpty();
        Damage damage = scanned.report().damage();
        assertThat(damage).as("after %d", after).isNotNull();
        assertThat(damage.advice()).contains("backup");
        if (after == 0) {
          assertThat(damage.advice()).doesNotContain("--cut-at");
        } else {
          // The snapshot is all that is left.
          assertThat(damage.advice()).contains("--cut-at " + (after + 1));
        }
      }
    }
  }

  @Test
  void shouldNeverInventAnythingWhenAByteIsSpoiled() {
    for (Map.Entry<Path, byte[]> entry : image.entrySet()) {
      byte[] bytes = entry.getValue();
      int end = Math.min(bytes.length, LogOnDisk.usedBytes(bytes) + 16);
      for (int at = FIRST - 4; at < end; at += STRIDE) {
        byte[] spoiled = bytes.clone();
        spoiled[at] ^= (byte) (1 << (at % 8));
        LogOnDisk.write(entry.getKey(), spoiled);
        check(entry.getKey(), at);
      }
      LogOnDisk.write(entry.getKey(), bytes);
    }
  }

  @Test
  void shouldNeverInventAnythingWhenAFileIsCutShortAnywhere() {
    for (Map.Entry<Path, byte[]> entry : image.entrySet()) {
      byte[] bytes = entry.getValue();
      int end = Math.min(bytes.length, LogOnDisk.usedBytes(bytes) + 16);
      for (int length = 0; length < end; length += 2 * STRIDE) {
        LogOnDisk.write(entry.getKey(), Arrays.copyOf(bytes, length));
        check(entry.getKey(), length);
      }
      LogOnDisk.write(entry.getKey(), bytes);
    }
  }

  @Test
  void shouldNeverInventAnythingWhenAFileIsMissing() throws IOException {
    for (Map.Entry<Path, byte[]> entry : image.entrySet()) {
      Files.delete(entry.getKey());
      for (long after = first - 1; after <= 20; after++) {
        check(entry.getKey(), -1, HolePolicy.REFUSE, after);
        check(entry.getKey(), -1, HolePolicy.CUT_UNFORCED, after);
      }
      LogOnDisk.write(entry.getKey(), entry.getValue());
    }
  }

  @Test
  void shouldNotLookAtSegmentsThatLieBelow() {
    byte[] spoiled = new byte[3_000];
    Arrays.fill(spoiled, (byte) 0x55);
    for (long after = first; after <= 20; after++) {
      TreeSet<Path> read = new TreeSet<>();
      for (Path file : image.keySet()) {
        LogOnDisk.write(file, spoiled);
        LogOnDisk.Scanned scanned = log.scan(HolePolicy.REFUSE, after);
        if (scanned.report().isDamaged() || scanned.report().isTorn()) {
          read.add(file);
        } else {
          assertThat(scanned.records()).isEqualTo(behind(after));
        }
        LogOnDisk.write(file, image.get(file));
      }
      ScanReport report = log.scan(HolePolicy.REFUSE, after).report();
      assertThat(read).hasSizeBetween(1, report.segments());
    }
  }

  /** At each place another of the records to begin behind; all of them for each come in turn. */
  private void check(Path file, int at) {
    long after = first - 1 + Math.floorMod(at, 20 - first + 2);
    check(file, at, at % 2 == 0 ? HolePolicy.REFUSE : HolePolicy.CUT_UNFORCED, after);
  }

  private Path newestRun() {
    List<Path> files = List.copyOf(image.keySet());
    return files.get(files.size() - 1).getParent();
  }

  private void check(Path file, int at, HolePolicy policy, long after) {
    LogOnDisk.Scanned scanned = log.scan(policy, after);
    ScanReport report = scanned.report();
    long from = after;
    Supplier<String> where =
        () -> "%s after %d of %s, byte %d: %s".formatted(policy, from, file, at, report);
    List<LogRecord> found = scanned.records();
    if (report.isDamaged()) {
      // Refused: what was given out before is worth nothing.
      return;
    }
    assertThat(found).as(where).isEqualTo(behind(after).subList(0, found.size()));
    assertThat(report.lastSequence()).as(where).isEqualTo(after + found.size());
    if (found.size() < behind(after).size()) {
      // What was the end of the newest run is known by that run alone.
      boolean isItsEnd = file.startsWith(newestRun()) && report.lastSequence() >= 18;
      assertThat(report.isTorn() || isItsEnd).as(where).isTrue();
      assertThat(report.lastSequence()).as(where).isGreaterThanOrEqualTo(18);
    }
  }

  @Test
  void shouldSayWhenTheLogIsNotTheOneOfTheSnapshot() {
    LogRecord.Collector none = new LogRecord.Collector();
    Damage damage = scanner(HolePolicy.REFUSE).scanAfter(12, LogOnDisk.TAG, 5, none).damage();
    assertThat(damage.what()).contains("log time is 1012, but 5 in the snapshot");
    damage = scanner(HolePolicy.REFUSE).scanAfter(12, 1, 1_012, none).damage();
    assertThat(damage).isNotNull();
    assertThat(none.records).isEmpty();
  }

  @Test
  void shouldRefuseToReadASegmentThatIsTooLong() throws IOException {
    Path file = image.keySet().iterator().next();
    try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
      channel.position(Integer.MAX_VALUE + 1L).write(ByteBuffer.allocate(1));
    }
    assertThatThrownBy(() -> scanner(HolePolicy.REFUSE).scan(new LogRecord.Collector()))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("2,147,483,649 bytes")
        .hasMessageContaining(file.toString());
  }
}
