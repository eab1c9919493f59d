package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stalls of a thread are reported, but not too often. */
class StallMonitorTest {
  private final List<String> messages = new ArrayList<>();
  private long nowNs = -1_000;

  private final StallMonitor watch =
      new StallMonitor("archive", Duration.ofMillis(100).toNanos(), () -> nowNs, messages::add);

  StallMonitorTest() {
    step(Duration.ofHours(1));
  }

  private void step(Duration length) {
    nowNs += length.toNanos();
    watch.reportMeasurement(0);
  }

  @Test
  void shouldNotReportShortDutyCycles() {
    step(Duration.ofMillis(99));
    step(Duration.ofMillis(1));
    assertThat(messages).isEmpty();
  }

  @Test
  void shouldReportAStallAtOnce() {
    step(Duration.ofMillis(1_234));
    assertThat(messages).containsExactly("stalled in its archive for 1,234 ms");
  }

  @Test
  void shouldSummarizeLaterStalls() {
    for (int i = 0; i < 11; i++) {
      step(Duration.ofMillis(500 + i));
      step(Duration.ofMillis(1));
    }
    assertThat(messages).containsExactly("stalled in its archive for 500 ms");
    step(Duration.ofSeconds(10));
    assertThat(messages)
        .hasSize(2)
        .last()
        .isEqualTo(
            "stalled in its archive for 10,000 ms, and 10 more times since the"
                + " last report, for up to 510 ms");
  }
}
