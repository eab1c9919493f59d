package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The clock of a member's components does not follow steps of the wall clock. */
class SteadyEpochClockTest {
  private long wallMs = 1_000_000;
  private long nanoTime = -5;

  private final SteadyEpochClock clock = new SteadyEpochClock(() -> wallMs, () -> nanoTime);

  @Test
  void shouldStartAtTheWallClock() {
    assertThat(clock.time()).isEqualTo(1_000_000);
  }

  @Test
  void shouldFollowTheMonotonicClock() {
    wallMs += Duration.ofHours(1).toMillis();
    assertThat(clock.time()).isEqualTo(1_000_000);
    nanoTime += Duration.ofSeconds(3).toNanos();
    wallMs -= Duration.ofHours(2).toMillis();
    assertThat(clock.time()).isEqualTo(1_003_000);
  }
}
