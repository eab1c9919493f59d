package io.entroq.engine.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.command.CutDecoder;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDamagedException;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.TornTail;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecoveryTest {
  private static final int TAG = 99;
  private static final LogConfig CONFIG =
      LogConfig.defaults().withSegmentBytes(2 << 10).withPayloadBytesMax(2 << 10);

  @TempDir private Path temporary;
  private LogDirectory directory;
  private final List<LogRecord> appended = new ArrayList<>();

  @BeforeEach
  void open() {
    directory = LogDirectory.open(temporary.resolve("data"));
  }

  @AfterEach
  void close() {
    directory.close();
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldFindAnEmptyLog(HolePolicy policy) {
    RecoveredLog recovered = recover(policy);
    assertThat(recovered.isEmpty()).isTrue();
    assertThat(recovered.cut()).isNull();
    assertThat(recovered.forcedSequence()).isZero();
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldReplayAllRunsAndGoOn(HolePolicy policy) {
    for (int run = 0; run < 4; run++) {
      RecoveredLog recovered = recover(policy);
      assertThat(recovered.sequence()).isEqualTo(20L * run);
      append(recovered, 20);
    }
    assertThat(recover(policy).logTag()).isEqualTo(TAG);
  }

  @Test
  void shouldForceWhatAKilledProcessHadOnlyWritten() {
    append(recover(HolePolicy.CUT_UNFORCED), 20);
    List<String> forced = new ArrayList<>();
    Forcer recording =
        (what, action) -> {
          forced.add(Path.of(what).getFileName().toString());
          action.run();
        };
    RecoveredLog recovered =
        new LogRecovery(directory, HolePolicy.CUT_UNFORCED, recording).recover(ignored());
    assertThat(recovered.forcedSequence()).isEqualTo(20);
    assertThat(forced).contains("19700101-00LX.cq4", "run-000001-00000000000000000001", "log");

    append(recovered, 1);
    forced.clear();
    recovered = new LogRecovery(directory, HolePolicy.CUT_UNFORCED, recording).recover(ignored());
    assertThat(recovered.forcedSequence()).isEqualTo(21);
    assertThat(forced)
        .containsExactly("19700101-00LX.cq4", "run-000002-00000000000000000021", "log");
  }

  @Test
  void shouldEndTheFileThatAKilledProcessHadOpen() throws IOException {
    append(recover(HolePolicy.REFUSE), 20);
    Path file = lastSegment();
    long length = Files.size(file);
    try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
      channel.position(50_000).write(ByteBuffer.allocate(1));
    }
    assertThat(recover(HolePolicy.REFUSE).report().loose()).containsOnlyKeys(file);
    assertThat(Files.size(file)).isEqualTo(length);
    assertThat(recover(HolePolicy.REFUSE).report().loose()).isEmpty();
  }

  @Test
  void shouldForceWhatItGoesOnFromAtAnyLevel() {
    append(recover(HolePolicy.REFUSE), 5);
    List<String> forced = new ArrayList<>();
    Forcer recording =
        (what, action) -> {
          forced.add(what);
          action.run();
        };
    RecoveredLog recovered =
        new LogRecovery(directory, HolePolicy.REFUSE, recording).recover(ignored());
    assertThat(forced).isNotEmpty();
    assertThat(recovered.forcedSequence()).isEqualTo(recovered.sequence());
  }

  @Test
  void shouldRefuseWhenWhatWasRecoveredCannotBeForced() {
    append(recover(HolePolicy.CUT_UNFORCED), 5);
    Forcer failing =
        (what, action) -> {
          throw new IOException("no such luck");
        };
    assertThatThrownBy(
            () -> new LogRecovery(directory, HolePolicy.CUT_UNFORCED, failing).recover(ignored()))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("no such luck");
  }

  @Test
  void shouldRefuseDamage() throws IOException {
    append(recover(HolePolicy.REFUSE), 20);
    spoil(directory.runs().get(0).segments().get(0).file(), 500);
    assertThatThrownBy(() -> recover(HolePolicy.REFUSE)).isInstanceOf(LogDamagedException.class);
  }

  @Test
  void shouldSayWhichRecordCannotBeReplayed() {
    append(recover(HolePolicy.REFUSE), 1);
    StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
    assertThatThrownBy(
            () ->
                new LogRecovery(directory, HolePolicy.REFUSE, Forcer.DISK)
                    .recover(LogRecovery.into(machine, null)))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("Record 1 (GENESIS)")
        .hasMessageContaining(directory.directory().toString())
        .hasCauseInstanceOf(MalformedMessageException.class);
  }

  @Test
  void shouldSayWhichFlagToRaiseWhenMemoryDoesNotSuffice() {
    append(recover(HolePolicy.REFUSE), 3);
    RecordHandler hungry =
        (type, sequence, logTimeMs, payloadCrc, payload, offset, length) -> {
          throw new OutOfMemoryError("Cannot reserve 4194304 bytes of direct buffer memory");
        };
    assertThatThrownBy(
            () -> new LogRecovery(directory, HolePolicy.REFUSE, Forcer.DISK).recover(hungry))
        .isInstanceOf(LogException.class)
        .hasMessageContaining(directory.directory().toString())
        .hasMessageContaining("record 1")
        .hasMessageContaining("-XX:MaxDirectMemorySize");
  }

  @Test
  void shouldNameWhatItCutAndGoOnBehindIt() throws IOException {
    append(recover(HolePolicy.REFUSE), 20);
    Path file = lastSegment();
    appended.remove(19);
    int end = lastByte(file);
    spoil(file, end - 10);

    RecoveredLog recovered = recover(HolePolicy.REFUSE);
    assertThat(recovered.sequence()).isEqualTo(19);
    TornTail tail = recovered.cut();
    ExpandableArrayBuffer payload = new ExpandableArrayBuffer();
    CutDecoder cut = new CutDecoder();
    cut.wrap(payload, 0, tail.encodeCut(payload, 0));
    assertThat(cut.afterSequence()).isEqualTo(19);
    assertThat(payload.getStringWithoutLengthUtf8(cut.segmentOffset(), cut.segmentLength()))
        .isEqualTo(file.getParent().getFileName() + "/" + file.getFileName());
    assertThat(cut.cutOffset()).isEqualTo(tail.offset());
    assertThat(cut.droppedBytes()).isEqualTo(tail.nonZeroBytes());

    append(recovered, 7);
    assertThat(recover(HolePolicy.REFUSE).cut()).isNull();
  }

  @Test
  void shouldComeThroughManyTornTails() throws IOException {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      HolePolicy policy = random.nextBoolean() ? HolePolicy.REFUSE : HolePolicy.CUT_UNFORCED;
      RecoveredLog recovered = recover(policy);
      append(recovered, 1 + random.nextInt(6));
      Path file = lastSegment();
      // Somewhere in the last record, never before it: its payload is longer than 40 bytes.
      int at = lastByte(file) - random.nextInt(40);
      if (random.nextBoolean()) {
        spoil(file, at);
      } else {
        try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
          channel.truncate(at);
        }
      }
      appended.remove(appended.size() - 1);
    }
    assertThat(recover(HolePolicy.REFUSE).sequence()).isEqualTo(appended.size());
  }

  private RecoveredLog recover(HolePolicy policy) {
    LogRecord.Collector collector = new LogRecord.Collector();
    RecoveredLog recovered = new LogRecovery(directory, policy, Forcer.DISK).recover(collector);
    assertThat(collector.records).isEqualTo(appended);
    return recovered;
  }

  private static RecordHandler ignored() {
    return (type, sequence, logTimeMs, payloadCrc, payload, offset, length) -> {};
  }

  /** Opens the log behind what was recovered, as an engine does. */
  private void append(RecoveredLog recovered, int count) {
    try (CommandLog log =
        ChronicleLog.open(
            directory, CONFIG, TAG, recovered.sequence(), recovered.forcedSequence())) {
      if (recovered.cut() != null) {
        appendCut(recovered, log);
      }
      for (int i = 0; i < count; i++) {
        LogRecord record = LogRecord.ofBytes(log.appendedSequence() + 1, 50 + i * 31 % 400);
        record.appendTo(log);
        appended.add(record);
      }
    }
  }

  private void appendCut(RecoveredLog recovered, CommandLog log) {
    UnsafeBuffer payload = new UnsafeBuffer(new byte[256]);
    int length = recovered.cut().encodeCut(payload, 0);
    long sequence = recovered.sequence() + 1;
    int crc = new Crc32c().of(payload, 0, length);
    log.append(RecordType.CUT, sequence, 1_000 + sequence, crc, payload, 0, length);
    String text = new String(payload.byteArray(), 0, length, StandardCharsets.ISO_8859_1);
    appended.add(new LogRecord(RecordType.CUT, sequence, 1_000 + sequence, text));
  }

  private Path lastSegment() {
    var runs = directory.runs();
    var segments = runs.get(runs.size() - 1).segments();
    return segments.get(segments.size() - 1).file();
  }

  private static int lastByte(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (bytes[end - 1] == 0) {
      end--;
    }
    return end - 1;
  }

  private static void spoil(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 4;
    Files.write(file, bytes);
  }
}
