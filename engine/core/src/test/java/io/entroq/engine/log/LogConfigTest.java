package io.entroq.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LogConfigTest {
  @Test
  void shouldChangeOneThingAtATime() {
    Forcer forcer = (what, action) -> {};
    LogConfig config =
        LogConfig.defaults()
            .withSegmentBytes(1 << 20)
            .withPayloadBytesMax(1 << 16)
            .withForcer(forcer)
            .withReserveBytes(5)
            .withForcedOften(true);
    assertThat(config).isEqualTo(new LogConfig(1 << 20, 1 << 16, forcer, 5, true));
    assertThat(LogConfig.defaults().segmentBytes()).isEqualTo(64 << 20);
    assertThat(LogConfig.defaults().payloadBytesMax()).isGreaterThan(8 << 20);
  }

  @Test
  void shouldNameTheValueThatIsOutOfRange() {
    LogConfig config = LogConfig.defaults();
    assertThatThrownBy(() -> config.withSegmentBytes(1_023))
        .hasMessage("segmentBytes is 1,023; allowed: 1,024 to 1,073,741,824");
    assertThatThrownBy(() -> config.withPayloadBytesMax((64 << 20) + 1))
        .hasMessage("payloadBytesMax is 67,108,865; allowed: 1,024 to 67,108,864");
    assertThatThrownBy(() -> config.withForcer(null)).hasMessage("forcer");
    assertThatThrownBy(() -> config.withReserveBytes(-1)).hasMessage("reserveBytes is -1");
  }
}
