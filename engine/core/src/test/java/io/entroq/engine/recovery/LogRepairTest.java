package io.entroq.engine.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.record.RecordType;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogRepairTest {
  private static final LogConfig CONFIG = LogConfig.defaults().withPayloadBytesMax(1 << 10);

  @TempDir private Path temporary;
  private LogDirectory directory;
  private final List<LogRecord> appended = new ArrayList<>();

  @BeforeEach
  void appendTenRecordsAndForceThem() {
    directory = LogDirectory.open(temporary.resolve("data"));
    try (CommandLog log = ChronicleLog.open(directory, CONFIG, 5, 0, 0)) {
      for (int i = 1; i <= 10; i++) {
        LogRecord record = LogRecord.ofBytes(i, 80);
        record.appendTo(log);
        appended.add(record);
        log.force();
      }
    }
  }

  @AfterEach
  void close() {
    directory.close();
  }

  @Test
  void shouldOpenADamagedLogAgain() throws IOException {
    spoilRecord(5);
    assertThatThrownBy(this::recover)
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("--cut-at 5");
    new LogRepair(directory, CONFIG).cutAt(5);
    assertCutAt(5);
  }

  @Test
  void shouldGiveUpGoodRecordsToo() {
    new LogRepair(directory, CONFIG).cutAt(3);
    assertCutAt(3);
    new LogRepair(directory, CONFIG).cutAt(2);
    assertCutAt(2);
  }

  @Test
  void shouldRefuseACutBehindWhatIsGood() throws IOException {
    spoilRecord(5);
    LogRepair repair = new LogRepair(directory, CONFIG);
    assertThatThrownBy(() -> repair.cutAt(6))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("its good records are 1 to 4; allowed is 2 to 5");
    assertThatThrownBy(() -> repair.cutAt(1)).isInstanceOf(LogException.class);
    assertThat(directory.runs()).hasSize(1);
  }

  private void assertCutAt(int sequence) {
    List<LogRecord> records = recover();
    assertThat(records).hasSize(sequence);
    assertThat(records.subList(0, sequence - 1)).isEqualTo(appended.subList(0, sequence - 1));
    LogRecord cut = records.get(sequence - 1);
    assertThat(cut.type()).isEqualTo(RecordType.CUT);
    assertThat(cut.logTimeMs()).isEqualTo(appended.get(sequence - 2).logTimeMs());
  }

  private List<LogRecord> recover() {
    LogRecord.Collector collector = new LogRecord.Collector();
    new Recovery(directory, HolePolicy.CUT_UNFORCED, Forcer.DISK).recover(collector);
    return collector.records;
  }

  private void spoilRecord(int sequence) throws IOException {
    Path file = directory.runs().get(0).segments().get(0).file();
    byte[] bytes = Files.readAllBytes(file);
    bytes[SegmentLayout.FIRST_RECORD_OFFSET + (sequence - 1) * 132 + 70] ^= 1;
    Files.write(file, bytes);
  }
}
