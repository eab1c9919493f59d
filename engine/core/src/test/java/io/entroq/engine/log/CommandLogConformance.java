package io.entroq.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What every log that keeps its records does alike. */
public abstract class CommandLogConformance {
  protected static final LogConfig SMALL =
      LogConfig.defaults().withSegmentBytes(16 << 10).withPayloadBytesMax(64 << 10);

  protected abstract CommandLog open(LogConfig config);

  /** What the log holds, read back; the log is open. */
  protected abstract List<LogRecord> readBack(CommandLog log);

  @Test
  void shouldBeEmptyAtFirst() {
    try (CommandLog log = open(SMALL)) {
      assertThat(log.appendedSequence()).isZero();
      assertThat(log.appendedBytes()).isZero();
      assertThat(log.forcedSequence()).isZero();
      assertThat(log.forcedBytes()).isZero();
      log.force();
      assertThat(log.forcedSequence()).isZero();
      assertThat(readBack(log)).isEmpty();
    }
  }

  @Test
  void shouldGiveBackWhatWasAppended() {
    try (CommandLog log = open(SMALL)) {
      List<LogRecord> appended = new ArrayList<>();
      for (int i = 1; i <= 40; i++) {
        appended.add(append(log, LogRecord.ofBytes(i, i - 1)));
      }
      assertThat(readBack(log)).isEqualTo(appended);
      assertThat(log.appendedSequence()).isEqualTo(40);
      assertThat(log.appendedBytes()).isEqualTo(40L * RecordFrame.HEADER_BYTES + 39 * 40 / 2);
    }
  }

  @Test
  void shouldGiveBackRecordsAcrossManySegments() {
    try (CommandLog log = open(SMALL)) {
      Random random = new Random(3);
      List<LogRecord> appended = new ArrayList<>();
      for (int i = 1; i <= 300; i++) {
        appended.add(append(log, LogRecord.ofBytes(i, random.nextInt(1_500))));
      }
      assertThat(readBack(log)).isEqualTo(appended);
    }
  }

  @Test
  void shouldTakeRecordsLongerThanASegment() {
    try (CommandLog log = open(SMALL)) {
      List<LogRecord> appended = new ArrayList<>();
      int[] sizes = {10, 64 << 10, 64 << 10, 5, 16 << 10, (16 << 10) - 48, 0, 40_000, 1};
      for (int i = 0; i < sizes.length; i++) {
        appended.add(append(log, LogRecord.ofBytes(i + 1, sizes[i])));
        log.force();
      }
      assertThat(readBack(log)).isEqualTo(appended);
      assertThat(log.forcedSequence()).isEqualTo(sizes.length);
    }
  }

  @Test
  void shouldTakeTheLongestCommands() {
    try (CommandLog log = open(LogConfig.defaults())) {
      List<LogRecord> appended = new ArrayList<>();
      for (int i = 1; i <= 12; i++) {
        appended.add(append(log, LogRecord.ofBytes(i, (8 << 20) + i)));
      }
      appended.add(append(log, LogRecord.ofBytes(13, LogConfig.PAYLOAD_BYTES_MAX_DEFAULT)));
      appended.add(append(log, LogRecord.ofBytes(14, 3)));
      assertThat(readBack(log)).isEqualTo(appended);
    }
  }

  @Test
  void shouldSayAsForcedOnlyWhatWasForced() {
    try (CommandLog log = open(SMALL)) {
      append(log, LogRecord.ofBytes(1, 10));
      append(log, LogRecord.ofBytes(2, 10));
      assertThat(log.forcedSequence()).isZero();
      log.force();
      assertThat(log.forcedSequence()).isEqualTo(2);
      assertThat(log.forcedBytes()).isEqualTo(log.appendedBytes());
      append(log, LogRecord.ofBytes(3, 10));
      assertThat(log.forcedSequence()).isEqualTo(2);
      assertThat(log.forcedBytes()).isEqualTo(2 * 58);
      assertThat(log.appendedBytes()).isEqualTo(3 * 58);
    }
  }

  @Test
  void shouldRefuseASequenceOutOfOrderAndGoOn() {
    try (CommandLog log = open(SMALL)) {
      LogRecord first = append(log, LogRecord.of(1, "a"));
      assertThatThrownBy(() -> LogRecord.of(3, "c").appendTo(log))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("sequence is 3, the next is 2");
      assertThatThrownBy(() -> LogRecord.of(1, "a").appendTo(log))
          .isInstanceOf(IllegalArgumentException.class);
      LogRecord second = append(log, LogRecord.of(2, "b"));
      assertThat(readBack(log)).containsExactly(first, second);
    }
  }

  @Test
  void shouldRefuseAPayloadOverTheLimitAndGoOn() {
    try (CommandLog log = open(SMALL)) {
      assertThatThrownBy(() -> LogRecord.ofBytes(1, (64 << 10) + 1).appendTo(log))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("payload of 65537 bytes, the limit is 65536");
      LogRecord first = append(log, LogRecord.of(1, "a"));
      assertThat(readBack(log)).containsExactly(first);
    }
  }

  @Test
  void shouldRefuseEverythingAfterAFailedForce() {
    Forcer failing =
        (what, action) -> {
          throw new IOException("no such luck");
        };
    try (CommandLog log = open(SMALL.withForcer(failing))) {
      append(log, LogRecord.of(1, "a"));
      assertThatThrownBy(log::force)
          .isInstanceOf(LogException.class)
          .hasMessageContaining("no such luck")
          .extracting(e -> ((LogException) e).severity())
          .isEqualTo(LogException.Severity.FATAL);
      assertThat(log.forcedSequence()).isZero();
      assertThatThrownBy(log::force).isInstanceOf(LogException.class);
      assertThatThrownBy(() -> LogRecord.of(2, "b").appendTo(log))
          .isInstanceOf(LogException.class)
          .hasMessageContaining("no such luck");
      assertThat(log.appendedSequence()).isEqualTo(1);
      assertThat(log.forcedSequence()).isZero();
    }
  }

  @Test
  void shouldNotSayAsForcedWhatCameDuringAForce() {
    List<CommandLog> opened = new ArrayList<>();
    Forcer appending =
        (what, action) -> {
          action.run();
          if (opened.get(0).appendedSequence() == 1) {
            LogRecord.ofBytes(2, 20_000).appendTo(opened.get(0));
          }
        };
    try (CommandLog log = open(SMALL.withForcer(appending))) {
      opened.add(log);
      append(log, LogRecord.of(1, "a"));
      log.force();
      assertThat(log.forcedSequence()).isEqualTo(1);
      assertThat(log.forcedBytes()).isLessThanOrEqualTo(49);
      log.force();
      assertThat(log.forcedSequence()).isEqualTo(2);
      assertThat(log.forcedBytes()).isEqualTo(log.appendedBytes());
    }
  }

  @Test
  void shouldRefuseEverythingOnceClosed() {
    CommandLog log = open(SMALL);
    append(log, LogRecord.of(1, "a"));
    log.close();
    assertThatThrownBy(log::force).isInstanceOf(LogException.class).hasMessageContaining("closed");
    assertThatThrownBy(() -> LogRecord.of(2, "b").appendTo(log)).isInstanceOf(LogException.class);
  }

  @Test
  void shouldAllocateNothingPerAppend() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (CommandLog log = open(LogConfig.defaults())) {
      UnsafeBuffer payload = new UnsafeBuffer(new byte[200]);
      int crc = new Crc32c().of(payload, 0, 200);
      appendMany(log, 1, 50_000, payload, crc);
      long before = threads.getCurrentThreadAllocatedBytes();
      appendMany(log, 50_001, 100_000, payload, crc);
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(allocated / 100_000.0).as("bytes per append").isLessThan(1.0);
    }
  }

  private static void appendMany(
      CommandLog log, int from, int count, UnsafeBuffer payload, int crc) {
    for (int i = from; i < from + count; i++) {
      int type = i == 1 ? RecordType.GENESIS : RecordType.CLAIM;
      log.append(type, i, i, crc, payload, 0, payload.capacity());
    }
  }

  protected static LogRecord append(CommandLog log, LogRecord record) {
    record.appendTo(log);
    return record;
  }
}
