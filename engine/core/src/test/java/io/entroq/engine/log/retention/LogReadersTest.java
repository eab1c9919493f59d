package io.entroq.engine.log.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.chronicle.ChronicleLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogReadersTest {
  private static final LogConfig CONFIG =
      LogConfig.defaults().withSegmentBytes(1 << 10).withPayloadBytesMax(4 << 10);
  private static final long ANY = Long.MAX_VALUE;

  @TempDir private Path temporary;
  private Path data;
  private LogDirectory directory;
  private LogReaders readers;

  @BeforeEach
  void open() {
    data = temporary.resolve("data");
    directory = LogDirectory.open(data);
    readers = new LogReaders(directory);
  }

  @AfterEach
  void close() {
    directory.close();
  }

  @Test
  void shouldHoldNothingWithoutReaders() {
    assertThat(readers.lowestHeld(1_000, ANY)).isEqualTo(1_000);
    assertThat(data.resolve("readers")).doesNotExist();
  }

  @Test
  void shouldHoldWhatTheSlowestReaderNeeds() throws IOException {
    LogReaders others = new LogReaders(LogDirectory.read(data));
    LogReader slow = readers.register("slow", 10);
    try (LogReader fast = others.register("fast", 500)) {
      assertThat(readers.lowestHeld(1_000, ANY)).isEqualTo(10);
      assertThat(readers.lowestHeld(5, ANY)).isEqualTo(5);
      slow.advance(700);
      assertThat(others.lowestHeld(1_000, ANY)).isEqualTo(500);
      fast.advance(900);
      fast.advance(3);
      assertThat(fast.sequence()).isEqualTo(900);
      assertThat(readers.lowestHeld(1_000, ANY)).isEqualTo(700);
      slow.close();
      slow.close();
      assertThat(readers.lowestHeld(1_000, ANY)).isEqualTo(900);
      assertThat(data.resolve("readers/slow")).doesNotExist();
      assertThat(Files.readString(data.resolve("readers/fast")))
          .startsWith("00000000000000000900 ");
    }
    assertThat(readers.lowestHeld(1_000, ANY)).isEqualTo(1_000);
    assertThat(data.resolve("readers/fast")).doesNotExist();
  }

  @Test
  void shouldPassOverAReaderThatWouldHoldTooMuch() throws IOException {
    try (CommandLog log = ChronicleLog.open(directory, CONFIG, 1, 0, 0)) {
      for (int i = 1; i <= 20; i++) {
        LogRecord.ofBytes(i, 300).appendTo(log);
      }
    }
    LogRetention retention = new LogRetention(directory);
    long all = retention.removableBytes(20);
    assertThat(all).isPositive();
    try (LogReader first = readers.register("first", 1);
        LogReader second = readers.register("second", 9)) {
      assertThat(readers.lowestHeld(20, all)).isEqualTo(first.sequence());
      assertThat(readers.lowestHeld(20, all - 1)).isEqualTo(second.sequence());
      assertThat(readers.lowestHeld(20, 0)).isEqualTo(20);
      retention.removeBelow(readers.lowestHeld(20, all - 1));
      assertThat(readers.lowestHeld(20, retention.removableBytes(20))).isEqualTo(1);
    }
  }

  @Test
  void shouldRefuseANameThatIsTaken() {
    try (LogReader reader = readers.register("tail", 1)) {
      assertThatThrownBy(() -> new LogReaders(LogDirectory.read(data)).register("tail", 2))
          .isInstanceOf(LogException.class)
          .hasMessageContaining(
              "A reader named tail already exists in this process. Choose another");
      assertThat(readers.lowestHeld(9, ANY)).isEqualTo(reader.sequence());
    }
    readers.register("tail", 3).close();
  }

  @Test
  void shouldRefuseWhatIsNoName() {
    for (String name : new String[] {"", ".lock", "a/b", "..", "a b", "x".repeat(65)}) {
      assertThatThrownBy(() -> readers.register(name, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"" + name + "\" is not a valid reader name");
    }
  }

  @Test
  void shouldSayWhenTheDirectoryCannotBeWritten() throws IOException {
    Files.createFile(data.resolve("readers"));
    assertThatThrownBy(() -> readers.register("tail", 1))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("Cannot register the reader tail in " + data.resolve("readers"));
  }

  @Test
  void shouldRemoveFilesOfReadersThatAreGone() throws IOException {
    try (LogReader here = readers.register("here", 30)) {
      Path stale = data.resolve("readers/stale");
      Files.writeString(stale, LogReader.encode(5));
      assertThat(readers.lowestHeld(100, ANY)).isEqualTo(here.sequence());
      assertThat(stale).doesNotExist();
      assertThat(here.file()).exists();
    }
  }

  @Test
  void shouldTakeNothingButAWholeSequenceFromAFile() {
    assertThat(LogReader.decode(LogReader.encode(5))).isEqualTo(5);
    assertThat(LogReader.decode(LogReader.encode(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
    String torn = LogReader.encode(1_000).substring(0, 18) + LogReader.encode(999).substring(18);
    for (String text : List.of("", "5", "nonsense", torn, LogReader.encode(7).substring(0, 29))) {
      assertThat(LogReader.decode(text)).isZero();
    }
  }
}
