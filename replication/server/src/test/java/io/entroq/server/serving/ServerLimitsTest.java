package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.server.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServerLimitsTest {
  @Test
  void shouldLetAsMuchIntoTheEngineAsCallersMayHave() {
    ServerLimits bounds = bounds(Map.of("ENTROQ_CALL_BYTES_MAX", "8GiB"));
    assertThat(bounds.shareBytes()).isEqualTo(2L << 30);
    assertThat(bounds.engineBytesMax()).isEqualTo(4L << 30);
  }

  @Test
  void shouldLetACommandIntoTheEngineHoweverSmallTheRestIs() {
    ServerLimits bounds =
        bounds(Map.of("ENTROQ_CALL_BYTES_MAX", "1MiB", "ENTROQ_MAX_SIZE_MB", "2"));
    assertThat(bounds.shareBytes()).isEqualTo(2 << 20);
    assertThat(bounds.engineBytesMax()).isEqualTo(8 << 20);
  }

  @Test
  void shouldNotAskTheEngineForMoreThanItCounts() {
    ServerLimits bounds = bounds(Map.of("ENTROQ_CALL_BYTES_MAX", "1TiB"));
    assertThat(bounds.engineBytesMax()).isEqualTo(1L << 38);
  }

  private static ServerLimits bounds(Map<String, String> environment) {
    return new ServerLimits(Settings.of(List.of(), Optional.empty(), environment));
  }
}
