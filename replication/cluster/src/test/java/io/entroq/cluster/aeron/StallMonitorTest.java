package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A thread that stands still is told of, and not more often than somebody can read. */
class StallMonitorTest {
  private final List<String> told = new ArrayList<>();
  private long nowNs = -1_000;

  private final StallMonitor watch =
      new StallMonitor("archive", Duration.ofMillis(100).toNanos(), () -> nowNs, told::add);

  StallMonitorTest() {
    step(Duration.ofHours(1));
  }

  private void step(Duration length) {
    nowNs += length.toNanos();
    watch.reportMeasurement(0);
  }

  @Test
  void shouldSayNothingOfStepsThatAreShort() {
    step(Duration.ofMillis(99));
    step(Duration.ofMillis(1));
    assertThat(told).isEmpty();
  }

  @Test
  void shouldTellOfAStallAtOnce() {
    step(Duration.ofMillis(1_234));
    assertThat(told).containsExactly("stalled in its archive for 1,234 ms");
  }

  @Test
  void shouldTellOfManyTogether() {
    for (int i = 0; i < 11; i++) {
      step(Duration.ofMillis(500 + i));
      step(Duration.ofMillis(1));
    }
    assertThat(told).containsExactly("stalled in its archive for 500 ms");
    step(Duration.ofSeconds(10));
    assertThat(told)
        .hasSize(2)
        .last()
        .isEqualTo(
            "stalled in its archive for 10,000 ms, and 10 more times since the"
                + " last report, for up to 510 ms");
  }
}
