package io.entroq.engine.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.JvmFlags;
import io.entroq.engine.log.ChildJvm;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.HolePolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills JVMs that append, as kill -9 does, and reads what they have left. */
@Tag("crash")
class LogCrashIT {
  private static final int TAG = 4_711;
  private static final int ROUNDS = 1;
  private static final int LONG_ROUNDS = 10;
  private static final LogConfig CONFIG =
      LogConfig.defaults().withSegmentBytes(256 << 10).withPayloadBytesMax(64 << 10);
  private static final List<String> AS_PID_1 =
      List.of("unshare", "--fork", "--pid", "--mount-proc", "--kill-child");

  @TempDir private Path temporary;

  @Test
  void shouldHoldAllThatAKilledProcessHadAppended() throws Exception {
    killRepeatedly(List.of(), ROUNDS);
  }

  @Test
  @Tag("long")
  void shouldHoldAllThatAKilledProcessHadAppendedManyTimes() throws Exception {
    killRepeatedly(List.of(), LONG_ROUNDS);
  }

  @Test
  void shouldNotWaitForALockOfAProcessWithTheSamePid() throws Exception {
    killRepeatedlyAsPid1(ROUNDS);
  }

  @Test
  @Tag("long")
  void shouldNotWaitForALockOfAProcessWithTheSamePidManyTimes() throws Exception {
    killRepeatedlyAsPid1(LONG_ROUNDS);
  }

  private void killRepeatedlyAsPid1(int rounds) throws Exception {
    assumeTrue(canRun(AS_PID_1), "no right to make a pid namespace");
    killRepeatedly(AS_PID_1, rounds);
  }

  private void killRepeatedly(List<String> wrapper, int rounds) throws Exception {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    long last = 0;
    for (int round = 0; round < rounds; round++) {
      long reported = appendAndKill(wrapper, last, random.nextInt(2_000));
      last = check(reported);
    }
    assertThat(LogDirectory.read(temporary.resolve("data")).runs()).hasSize(rounds);
  }

  /** Lets a child append at least so many records, kills it, and returns the last it reported. */
  private long appendAndKill(List<String> wrapper, long from, int count) throws Exception {
    String data = temporary.resolve("data").toString();
    try (ChildJvm child = ChildJvm.start(wrapper, temporary, Appender.class, data)) {
      long pid = readNumber(child);
      assertThat(pid == 1).isEqualTo(!wrapper.isEmpty());
      long reported = from;
      while (reported <= from + count) {
        reported = readNumber(child);
      }
      child.kill();
      for (String line = child.readLine(); isNumber(line); line = child.readLine()) {
        reported = Long.parseLong(line);
      }
      assertThat(child.errors().lines().filter(LogCrashIT::isOurs)).isEmpty();
      assertThat(temporary.resolve(".chronicle.analytics.client.id")).doesNotExist();
      return reported;
    }
  }

  /** From JDK 24 on the JVM itself warns of what the libraries below call. */
  private static boolean isOurs(String line) {
    return !line.isBlank() && !line.startsWith("WARNING: ");
  }

  private static long readNumber(ChildJvm child) throws IOException {
    String line = child.readLine();
    assertThat(line).as(child.errors()).isNotNull();
    return Long.parseLong(line);
  }

  /** A line is whole if it is as long as the numbers are that the child writes. */
  private static boolean isNumber(String line) {
    return line != null && line.length() == Appender.DIGITS;
  }

  private long check(long reported) {
    Checker checker = new Checker();
    RecoveredLog recovered;
    try (LogDirectory directory = LogDirectory.open(temporary.resolve("data"))) {
      recovered = new LogRecovery(directory, HolePolicy.REFUSE, Forcer.DISK).recover(checker);
    }
    assertThat(recovered.sequence()).isGreaterThanOrEqualTo(reported);
    assertThat(checker.records).isEqualTo(recovered.sequence());
    return recovered.sequence();
  }

  private static boolean canRun(List<String> wrapper) throws InterruptedException {
    try {
      List<String> command = new ArrayList<>(wrapper);
      command.add("true");
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Compares each record with the one that the child must have appended. */
  private static final class Checker implements RecordHandler {
    private long records;

    @Override
    public void onRecord(
        int type,
        long sequence,
        long logTimeMs,
        int payloadCrc,
        DirectBuffer payload,
        int offset,
        int length) {
      records++;
      if (type != RecordType.CUT) {
        String text = payload.getStringWithoutLengthAscii(offset, length);
        assertThat(new LogRecord(type, sequence, logTimeMs, text))
            .isEqualTo(Appender.record(sequence));
      }
    }
  }

  /** Appends for ever, forces on a thread of its own, and reports each record it has appended. */
  static final class Appender {
    static final int DIGITS = 19;

    private Appender() {}

    public static void main(String[] args) {
      JvmFlags.require();
      System.out.println(ProcessHandle.current().pid());
      LogDirectory directory = LogDirectory.open(Path.of(args[0]));
      RecoveredLog recovered =
          new LogRecovery(directory, HolePolicy.REFUSE, Forcer.DISK)
              .recover((type, sequence, logTimeMs, crc, payload, offset, length) -> {});
      try (CommandLog log =
          ChronicleLog.open(
              directory, CONFIG, TAG, recovered.sequence(), recovered.forcedSequence())) {
        appendCut(recovered, log);
        Thread forcing = new Thread(() -> forceForEver(log));
        forcing.setDaemon(true);
        forcing.start();
        while (true) {
          long sequence = log.appendedSequence() + 1;
          record(sequence).appendTo(log);
          System.out.println("%019d".formatted(sequence));
        }
      }
    }

    static LogRecord record(long sequence) {
      return LogRecord.ofBytes(sequence, (int) (sequence * 37 % 300));
    }

    private static void appendCut(RecoveredLog recovered, CommandLog log) {
      if (recovered.cut() != null) {
        UnsafeBuffer payload = new UnsafeBuffer(new byte[256]);
        int length = recovered.cut().encodeCut(payload, 0);
        int crc = new Crc32c().of(payload, 0, length);
        long sequence = recovered.sequence() + 1;
        log.append(RecordType.CUT, sequence, 1_000 + sequence, crc, payload, 0, length);
      }
    }

    private static void forceForEver(CommandLog log) {
      while (true) {
        log.force();
      }
    }
  }
}
