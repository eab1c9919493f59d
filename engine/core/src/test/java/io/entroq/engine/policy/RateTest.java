package io.entroq.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The arithmetic of rates. */
class RateTest {

  @Test
  void shouldRoundIntervalsUp() {
    assertThat(Rate.intervalMicros(0, 0)).isZero();
    assertThat(Rate.intervalMicros(10, 1_000)).isEqualTo(100_000);
    assertThat(Rate.intervalMicros(3, 1_000)).isEqualTo(333_334);
    assertThat(Rate.intervalMicros(1_000_000, 1_000)).isEqualTo(1);
  }

  @Test
  void shouldOpenInTheMillisecondAfterAFraction() {
    assertThat(Rate.opensMs(5_000, 0)).isEqualTo(5);
    assertThat(Rate.opensMs(5_001, 0)).isEqualTo(6);
    assertThat(Rate.opensMs(5_001, 1_001)).isEqualTo(4);
    assertThat(Rate.opensMs(0, 9_001)).as("long ago").isEqualTo(-9);
  }

  @Test
  void shouldCountFromNowAfterAnIdleTime() {
    assertThat(Rate.afterStart(0, 100, 7)).isEqualTo(7_100);
    assertThat(Rate.afterStart(9_000, 100, 7)).isEqualTo(9_100);
  }

  @Test
  void shouldSayHowManyMayStartAtOnce() {
    long interval = 1_000;
    long tolerance = Rate.toleranceMicros(interval, 4);
    assertThat(Rate.starts(0, tolerance, interval, 100)).isEqualTo(4);
    long tat = Rate.afterStart(0, interval, 100);
    assertThat(Rate.starts(tat, tolerance, interval, 100)).isEqualTo(3);
    assertThat(Rate.starts(tat + 3 * interval, tolerance, interval, 100)).isZero();
    assertThat(Rate.starts(tat + 3 * interval, tolerance, interval, 101)).isEqualTo(1);
  }

  @Test
  void shouldExpectStartsWhenTheyHappen() {
    Random random = new Random(1);
    for (int i = 0; i < 3_000; i++) {
      long interval = 1 + random.nextInt(random.nextBoolean() ? 1_200 : 3_000_000);
      long tolerance =
          Rate.toleranceMicros(interval, random.nextInt(random.nextBoolean() ? 4 : 900));
      long tat = random.nextInt(20_000);
      long fromMs = random.nextInt(20);
      long clock = tat;
      long startMs = fromMs;
      for (int ahead = 0; ahead < 400; ahead++) {
        startMs = Math.max(startMs, Rate.opensMs(clock, tolerance));
        clock = Rate.afterStart(clock, interval, startMs);
        assertThat(Rate.expectedMs(tat, tolerance, interval, ahead, fromMs))
            .as("%d ahead, an interval of %d, a tolerance of %d", ahead, interval, tolerance)
            .isEqualTo(startMs);
      }
    }
  }

  @Test
  void shouldExpectStartsFarAheadAtOnce() {
    long interval = 997;
    long tolerance = Rate.toleranceMicros(interval, 2);
    long clock = 0;
    long startMs = 5;
    for (int ahead = 0; ahead < 3_000_000; ahead++) {
      startMs = Math.max(startMs, Rate.opensMs(clock, tolerance));
      clock = Rate.afterStart(clock, interval, startMs);
    }
    assertThat(Rate.expectedMs(0, tolerance, interval, 2_999_999, 5)).isEqualTo(startMs);
  }

  @Test
  void shouldNotOverflow() {
    long tat = Rate.afterStart(0, 1_000, Long.MAX_VALUE);
    assertThat(tat).isEqualTo(Long.MAX_VALUE);
    assertThat(Rate.afterStart(tat, 1_000, 5)).isEqualTo(Long.MAX_VALUE);
    assertThat(Rate.ceilMs(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(Rate.toleranceMicros(Rate.intervalMicros(1, 86_400_000), 1_000_000)).isPositive();
  }
}
