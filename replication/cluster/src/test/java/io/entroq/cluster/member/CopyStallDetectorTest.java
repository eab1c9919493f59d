package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a copy has stalled. */
class CopyStallDetectorTest {
  private final CopyStallDetector detector = new CopyStallDetector(Duration.ofNanos(30), 100);

  @Test
  void shouldWaitForTheFirstByte() {
    assertThat(detector.isStalled(0, 130)).isFalse();
    assertThat(detector.isStalled(0, 131)).isTrue();
  }

  @Test
  void shouldRestartTheTimeoutOnProgress() {
    for (int ns = 120; ns < 1_000; ns += 20) {
      assertThat(detector.isStalled(ns, ns)).isFalse();
    }
    assertThat(detector.isStalled(980, 1_010)).isFalse();
    assertThat(detector.isStalled(980, 1_011)).isTrue();
  }

  @Test
  void shouldTreatAFinishedRecordingAsProgress() {
    assertThat(detector.isStalled(1_000, 120)).isFalse();
    assertThat(detector.isStalled(0, 150)).isFalse();
    assertThat(detector.isStalled(0, 180)).isFalse();
    assertThat(detector.isStalled(0, 181)).isTrue();
  }
}
