package io.entroq.engine.log.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.JvmFlags;
import io.entroq.engine.log.ChildJvm;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogReadersIT {
  private static final long ANY = Long.MAX_VALUE;

  @TempDir private Path temporary;

  @Test
  void shouldHoldWhatAReaderOfAnotherProcessNeedsUntilThatEnds() throws Exception {
    Path data = temporary.resolve("data");
    try (LogDirectory directory = LogDirectory.open(data)) {
      holdUntilTheReaderEnds(data, new LogReaders(directory));
    }
  }

  private void holdUntilTheReaderEnds(Path data, LogReaders readers) throws Exception {
    try (ChildJvm child = ChildJvm.start(List.of(), temporary, Reader.class, data.toString())) {
      assertThat(child.readLine()).isEqualTo("registered");
      assertThat(readers.lowestHeld(1_000, ANY)).isEqualTo(77);
      assertThat(readers.lowestHeld(1_000, ANY)).isEqualTo(77);
      assertThatThrownBy(() -> readers.register("child", 1))
          .isInstanceOf(LogException.class)
          .hasMessageContaining("A reader named child already exists in another process");
      assertThat(readers.lowestHeld(1_000, ANY)).isEqualTo(77);
      child.kill();
    }
    assertThat(readers.lowestHeld(1_000, ANY)).isEqualTo(1_000);
    assertThat(data.resolve("readers/child")).doesNotExist();
    readers.register("child", 1).close();
  }

  /** Registers, advances, says so, and waits to be killed. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] args) throws IOException {
      JvmFlags.require();
      LogReader reader = new LogReaders(LogDirectory.read(Path.of(args[0]))).register("child", 70);
      reader.advance(77);
      System.out.println("registered");
      int end = System.in.read();
      reader.close();
      System.exit(end);
    }
  }
}
