package io.entroq.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class VolatileLogTest {
  private final VolatileLog log = new VolatileLog(LogConfig.defaults().withPayloadBytesMax(2_000));

  @Test
  void shouldCountAndNeverLagBehindItself() {
    LogRecord.ofBytes(1, 10).appendTo(log);
    LogRecord.ofBytes(2, 20).appendTo(log);
    assertThat(log.appendedSequence()).isEqualTo(2);
    assertThat(log.forcedSequence()).isEqualTo(2);
    assertThat(log.appendedBytes()).isEqualTo(126);
    assertThat(log.forcedBytes()).isEqualTo(126);
    log.force();
    assertThat(log.forcedSequence()).isEqualTo(2);
  }

  @Test
  void shouldRefuseWhatALogOnDiskWouldRefuse() {
    assertThatThrownBy(() -> LogRecord.of(2, "b").appendTo(log))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LogRecord.ofBytes(1, 2_001).appendTo(log))
        .isInstanceOf(IllegalArgumentException.class);
    log.close();
    assertThatThrownBy(() -> LogRecord.of(1, "a").appendTo(log)).isInstanceOf(LogException.class);
  }
}
