package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a copy is given up. */
class CopyStallDetectorTest {
  private final CopyStallDetector silence = new CopyStallDetector(Duration.ofNanos(30), 100);

  @Test
  void shouldWaitForFirstByteSoLong() {
    assertThat(silence.isTooLong(0, 130)).isFalse();
    assertThat(silence.isTooLong(0, 131)).isTrue();
  }

  @Test
  void shouldBeginAnewWheneverSomethingComes() {
    for (int ns = 120; ns < 1_000; ns += 20) {
      assertThat(silence.isTooLong(ns, ns)).isFalse();
    }
    assertThat(silence.isTooLong(980, 1_010)).isFalse();
    assertThat(silence.isTooLong(980, 1_011)).isTrue();
  }

  @Test
  void shouldTakeWhatIsOverForProgress() {
    assertThat(silence.isTooLong(1_000, 120)).isFalse();
    assertThat(silence.isTooLong(0, 150)).isFalse();
    assertThat(silence.isTooLong(0, 180)).isFalse();
    assertThat(silence.isTooLong(0, 181)).isTrue();
  }
}
