package io.entroq.engine.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.log.CleanCloseMarker;
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
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A log that was closed in order is missed a record at its end; one that was not is not. */
class ClosedLogTest {
  private static final LogConfig CONFIG =
      LogConfig.defaults().withSegmentBytes(4 << 10).withPayloadBytesMax(1 << 10);
  private static final int TAG = 5;
  private static final int PAYLOAD_BYTES = 400;

  /** As far as the log is closed; some segments, the last with several records. */
  private static final int LAST = 20;

  @TempDir private Path temporary;
  private LogDirectory directory;
  private final List<LogRecord> appended = new ArrayList<>();

  @BeforeEach
  void closeALog() {
    directory = LogDirectory.open(temporary.resolve("data"));
    append(8, true);
    append(LAST - 8, true);
  }

  @AfterEach
  void close() {
    directory.close();
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldOpenWhatIsWhole(HolePolicy policy) throws IOException {
    assertThat(mark())
        .hasContent("sequence 20\nrun 2\nlog 00000005\ncrc32c " + crcOf(mark()) + "\n");
    assertThat(recover(policy)).isEqualTo(LAST);
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldMissTheLastSegments(HolePolicy policy) throws IOException {
    List<Path> segments = segments();
    assertThat(segments).hasSizeGreaterThan(2);
    for (int left = segments.size() - 1; left >= 0; left--) {
      Files.delete(segments.get(left));
      assertMissing(policy, left == 0 ? mark() : segments.get(left - 1));
    }
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldMissAllOfTheLog(HolePolicy policy) throws IOException {
    removeTree(directory.directory().resolve("log"));
    directory.close();
    directory = LogDirectory.open(temporary.resolve("data"));
    assertThat(directory.runs()).isEmpty();
    assertMissing(policy, mark());
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldMissWhatIsCutFromTheLastSegment(HolePolicy policy) throws IOException {
    Path last = segments().get(segments().size() - 1);
    int end = usedBytes(last);
    long before = LAST;
    for (int length = end - 1; length >= 0; length--) {
      try (FileChannel channel = FileChannel.open(last, StandardOpenOption.WRITE)) {
        channel.truncate(length);
      }
      if (length < end - SegmentLayout.WORD_BYTES) {
        long missing = assertMissing(policy, last);
        assertThat(missing).isBetween(before - 1, before);
        before = missing;
      }
    }
    assertThat(before).isLessThan(LAST - 1);
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldOpenAShorterLogThatNobodyHasClosed(HolePolicy policy) throws IOException {
    append(10, false);
    assertThat(mark()).doesNotExist();
    List<Path> segments = segments();
    Files.delete(segments.get(segments.size() - 1));
    assertThat(recover(policy)).isBetween(LAST + 1L, LAST + 9L);
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldOpenALongerLogBesideAMarkThatWasLeft(HolePolicy policy) throws IOException {
    byte[] stale = Files.readAllBytes(mark());
    append(3, false);
    Files.write(mark(), stale);
    assertThat(recover(policy)).isEqualTo(LAST + 3);
  }

  @Test
  void shouldKeepTheMarkUntilARecordIsAppended() {
    try (CommandLog log = ChronicleLog.open(directory, CONFIG, TAG, LAST, LAST)) {
      assertThat(mark()).exists();
      LogRecord.ofBytes(LAST + 1, 80).appendTo(log);
      assertThat(mark()).doesNotExist();
    }
    assertThat(mark()).doesNotExist();
  }

  @Test
  void shouldKeepTheMarkWhenNothingWasAppended() {
    ChronicleLog.open(directory, CONFIG, TAG, LAST, LAST).close();
    assertThat(directory.closedMark()).isEqualTo(new CleanCloseMarker(LAST, 2, TAG));
    assertThat(recover(HolePolicy.REFUSE)).isEqualTo(LAST);
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldGoOnBehindARepair(HolePolicy policy) throws IOException {
    byte[] before = Files.readAllBytes(mark());
    List<Path> segments = segments();
    Files.delete(segments.get(segments.size() - 1));
    long missing = assertMissing(policy, segments.get(segments.size() - 2));
    new LogRepair(directory, CONFIG).cutAt(missing);
    assertThat(recover(policy)).isEqualTo(missing);
    assertThat(directory.closedMark()).isEqualTo(new CleanCloseMarker(missing, 3, TAG));
    // As if its removal had not reached the disk.
    Files.write(mark(), before);
    assertThat(recover(policy)).isEqualTo(missing);
    Files.delete(mark());
    assertThat(recover(policy)).isEqualTo(missing);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 12, 40})
  void shouldNotHeedAMarkThatIsCut(int bytes) throws IOException {
    byte[] whole = Files.readAllBytes(mark());
    Files.write(mark(), Arrays.copyOf(whole, bytes));
    assertThat(recover(HolePolicy.REFUSE)).isEqualTo(LAST);
    append(1, true);
    assertThat(directory.closedMark().sequence()).isEqualTo(LAST + 1);
  }

  @Test
  void shouldNotHeedAMarkThatIsGarbled() throws IOException {
    byte[] whole = Files.readAllBytes(mark());
    for (int at = 0; at < whole.length; at++) {
      byte[] garbled = whole.clone();
      garbled[at] ^= 1;
      Files.write(mark(), garbled);
      assertThat(directory.closedMark()).as("byte " + at).isNull();
    }
    Files.delete(mark());
    Files.createDirectory(mark());
    assertThat(recover(HolePolicy.REFUSE)).isEqualTo(LAST);
  }

  @Test
  void shouldNotHeedTheMarkOfAnotherLog() throws IOException {
    directory.markClosed(directory.runs().get(1).directory(), LAST + 9, TAG + 1, Forcer.DISK);
    assertThat(recover(HolePolicy.REFUSE)).isEqualTo(LAST);
  }

  @Test
  void shouldNotMarkWhatIsNotForced() {
    Forcer failing =
        (what, action) -> {
          throw new IOException("no");
        };
    CommandLog log = ChronicleLog.open(directory, CONFIG, TAG, LAST, LAST);
    LogRecord.ofBytes(LAST + 1, 80).appendTo(log);
    log.close();
    assertThat(mark()).doesNotExist();
    log = ChronicleLog.open(directory, CONFIG.withForcer(failing), TAG, LAST + 1, LAST);
    LogRecord.ofBytes(LAST + 2, 80).appendTo(log);
    assertThatThrownBy(log::force).isInstanceOf(LogException.class);
    log.close();
    assertThat(mark()).doesNotExist();
  }

  @Test
  void shouldNotAppendWhileTheMarkMayBeOnTheDisk() {
    Forcer failing =
        (what, action) -> {
          throw new IOException("no");
        };
    try (CommandLog log =
        ChronicleLog.open(directory, CONFIG.withForcer(failing), TAG, LAST, LAST)) {
      assertThatThrownBy(() -> LogRecord.ofBytes(LAST + 1, 80).appendTo(log))
          .isInstanceOf(LogException.class)
          .hasMessageContaining("Cannot remove " + mark());
    }
    assertThat(recover(HolePolicy.REFUSE)).isEqualTo(LAST);
  }

  private void append(int count, boolean isForced) {
    int last = appended.size();
    try (CommandLog log = ChronicleLog.open(directory, CONFIG, TAG, last, last)) {
      for (int i = 1; i <= count; i++) {
        LogRecord record = LogRecord.ofBytes(last + i, PAYLOAD_BYTES);
        record.appendTo(log);
        appended.add(record);
      }
      if (isForced) {
        log.force();
      }
    }
  }

  private long recover(HolePolicy policy) {
    return new LogRecovery(directory, policy, Forcer.DISK)
        .recover((type, sequence, logTimeMs, crc, payload, offset, length) -> {})
        .sequence();
  }

  /** Asserts that the log is refused, with the place and what to do, and returns what is missed. */
  private long assertMissing(HolePolicy policy, Path file) {
    LogDamagedException[] damage = new LogDamagedException[1];
    assertThatThrownBy(() -> recover(policy))
        .isInstanceOfSatisfying(LogDamagedException.class, e -> damage[0] = e);
    long sequence = damage[0].sequence();
    assertThat(damage[0].file()).isEqualTo(file);
    assertThat(damage[0])
        .hasMessageContaining("closed says that the log was closed after record 20")
        .hasMessageContaining("Restore the directory from a backup")
        .hasMessageContaining(
            sequence == 1 ? "start over in another directory" : "--cut-at %d".formatted(sequence));
    return sequence;
  }

  private Path mark() {
    return CleanCloseMarker.fileIn(directory.directory());
  }

  private static String crcOf(Path mark) throws IOException {
    return Files.readAllLines(mark).get(3).substring("crc32c ".length());
  }

  private List<Path> segments() {
    List<Path> files = new ArrayList<>();
    directory.runs().forEach(run -> run.segments().forEach(each -> files.add(each.file())));
    return files;
  }

  private static int usedBytes(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return end;
  }

  private static void removeTree(Path root) throws IOException {
    try (Stream<Path> walk = Files.walk(root)) {
      for (Path each : walk.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(each);
      }
    }
  }
}
