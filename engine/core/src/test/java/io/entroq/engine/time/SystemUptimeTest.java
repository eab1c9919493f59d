package io.entroq.engine.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemUptimeTest {
  @TempDir Path directory;

  @Test
  void shouldReadSecondsAsNanoseconds() throws IOException {
    assertThat(read("350735.47 234388.90\n")).isEqualTo(350_735_470_000_000L);
    assertThat(read("0.00 0.00\n")).isZero();
    assertThat(read("12\n")).isEqualTo(12_000_000_000L);
  }

  @Test
  void shouldBeUnknownWithoutAReadableFile() throws IOException {
    assertThat(SystemUptime.readNs(directory.resolve("none"))).isEqualTo(SystemUptime.UNKNOWN);
    for (String text : new String[] {"", "x y", "1e999 0", "-5 0", "0.1234567891 0"}) {
      assertThat(read(text)).as(text).isEqualTo(SystemUptime.UNKNOWN);
    }
  }

  private long read(String text) throws IOException {
    return SystemUptime.readNs(Files.writeString(directory.resolve("uptime"), text));
  }
}
