package io.entroq.engine.log.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.RecordsRemovedException;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads a log while another thread appends at full speed, rolls, removes, closes and reopens. */
class BesideTheEngineTest {
  private static final int TAG = 0x61626364;
  private static final int ROUNDS = 5;
  private static final LogConfig CONFIG =
      LogConfig.defaults().withSegmentBytes(16 << 10).withPayloadBytesMax(4 << 10);

  @TempDir private Path temporary;
  private LogDirectory directory;
  private LogDirectory beside;
  private ExecutorService engine;

  @BeforeEach
  void open() {
    directory = LogDirectory.open(temporary.resolve("data"));
    beside = LogDirectory.read(directory.directory());
    engine = Executors.newSingleThreadExecutor();
  }

  @AfterEach
  void close() throws InterruptedException {
    engine.shutdown();
    assertThat(engine.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    directory.close();
  }

  /** Appends in several openings; after each few records keeps only the newest of them. */
  private long append(boolean isRemoving) {
    LogRetention retention = new LogRetention(directory);
    LogReaders readers = new LogReaders(directory);
    long last = 0;
    for (int round = 0; round < ROUNDS; round++) {
      try (CommandLog log = ChronicleLog.open(directory, CONFIG, TAG, last, 0)) {
        for (int i = 0; i < 1_500; i++) {
          last++;
          LogRecord.ofBytes(last, (int) (last * 37 % 300)).appendTo(log);
          if (isRemoving && last % 400 == 0) {
            log.force();
            retention.removeBelow(readers.lowestHeld(last - 100, Long.MAX_VALUE));
          }
        }
      }
    }
    return last;
  }

  @Test
  void shouldSeeNoDamageWhileTheEngineAppends() throws Exception {
    Future<Long> appending = engine.submit(() -> append(false));
    long last = 0;
    while (!appending.isDone()) {
      ScanReport report = scan(HolePolicy.REFUSE, new Checker(1));
      assertThat(report.damage()).isNull();
      assertThat(report.lastSequence()).isGreaterThanOrEqualTo(last);
      last = report.lastSequence();
    }
    Checker all = new Checker(1);
    assertThat(scan(HolePolicy.REFUSE, all).isTorn()).isFalse();
    assertThat(all.next).isEqualTo(appending.get() + 1);
  }

  @Test
  void shouldSeeNoDamageWhileTheBeginningIsRemoved() throws Exception {
    Future<Long> appending = engine.submit(() -> append(true));
    int scans = 0;
    while (!appending.isDone()) {
      Checker checker = new Checker(0);
      try {
        ScanReport report = scan(HolePolicy.CUT_UNFORCED, checker);
        assertThat(report.damage()).isNull();
        scans++;
      } catch (RecordsRemovedException e) {
        assertThat(e)
            .hasMessageContaining("has moved on while it was read: the engine removed record");
        assertThat(checker.next).isPositive();
      }
    }
    assertThat(scans).isPositive();
    Checker left = new Checker(0);
    scan(HolePolicy.REFUSE, left).requireUndamaged();
    assertThat(left.next).isEqualTo(appending.get() + 1);
  }

  @Test
  void shouldBeWaitedForWhenItIsRegistered() throws Exception {
    Future<Long> appending;
    Checker checker = new Checker(1);
    try (LogReader reader = new LogReaders(beside).register("tail", 1)) {
      appending = engine.submit(() -> append(true));
      boolean isLast;
      do {
        isLast = appending.isDone();
        long done = checker.next - 1;
        ScanReport report =
            new LogScanner(beside, HolePolicy.CUT_UNFORCED)
                .scanAfter(done, TAG, 1_000 + done, checker);
        assertThat(report.damage()).isNull();
        // The record behind which it reads on must stay.
        reader.advance(checker.next - 1);
      } while (!isLast);
    }
    assertThat(checker.next).isEqualTo(appending.get() + 1);
  }

  private ScanReport scan(HolePolicy policy, RecordHandler handler) {
    return new LogScanner(beside, policy).scan(handler);
  }

  /** Takes the records of the log, each the one after the other. */
  private static final class Checker implements RecordHandler {
    private final Random random = new Random(1);
    private long next;

    /**
     * @param first the first record, 0 if that is not known
     */
    Checker(long first) {
      next = first;
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
      next = next == 0 ? sequence : next;
      assertThat(sequence).isEqualTo(next);
      if (random.nextInt(100) == 0) {
        String text = payload.getStringWithoutLengthAscii(offset, length);
        assertThat(new LogRecord(type, sequence, logTimeMs, text))
            .isEqualTo(LogRecord.ofBytes(sequence, (int) (sequence * 37 % 300)));
      }
      next++;
    }
  }
}
