package io.entroq.engine.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlewedClockTest {
  private static final long START_MS = 1_700_000_000_000L;
  private static final long NS_PER_MS = 1_000_000;

  private final List<Long> deviations = new ArrayList<>();
  private final List<Long> suspensions = new ArrayList<>();
  private long nanoTime = -5_000_000_000L;
  private long suspendedNs = 6_000_000_000L;
  private long wallMs = START_MS;
  private final SlewedClock clock = new SlewedClock(() -> nanoTime, () -> wallMs, deviations::add);

  @Test
  void shouldShowTheWallClockWhenItStarts() {
    clock.start(Long.MIN_VALUE);

    assertThat(clock.nowMs()).isEqualTo(START_MS);
  }

  @Test
  void shouldPassWithMonotonicTimeWhenBothClocksAgree() {
    clock.start(Long.MIN_VALUE);

    pass(Duration.ofHours(1), Duration.ofMillis(7));

    assertThat(clock.nowMs()).isBetween(wallMs - 1, wallMs + 1);
    assertThat(deviations).isEmpty();
  }

  @Test
  void shouldNotGoBelowTheNewestRecordWhenTheWallClockIsBehind() {
    clock.start(START_MS + 30_000);

    assertThat(clock.nowMs()).isEqualTo(START_MS + 30_000);
    pass(Duration.ofSeconds(100), Duration.ofMillis(10));
    // A tenth of 100 s has been made up.
    assertThat(clock.nowMs() - wallMs).isBetween(19_900L, 20_100L);
  }

  @Test
  void shouldRunATenthFasterWhenTheWallClockJumpsAhead() {
    clock.start(Long.MIN_VALUE);
    wallMs += 3_600_000;

    long before = clock.nowMs();
    pass(Duration.ofSeconds(100), Duration.ofMillis(3));

    assertThat(clock.nowMs() - before).isBetween(109_900L, 110_001L);
    assertThat(deviations).hasSize(1);
    assertThat(deviations.get(0)).isBetween(3_599_000L, 3_600_000L);
    assertThat(clock.deviations()).isEqualTo(1);
  }

  @Test
  void shouldSkipTheTimeForWhichTheMachineWasSuspended() {
    SlewedClock suspendable = suspendable();
    suspendable.start(Long.MIN_VALUE);

    suspend(Duration.ofHours(1));
    wallMs += 3_600_000;
    pass(suspendable, Duration.ofMillis(20), Duration.ofMillis(1));

    assertThat(suspendable.nowMs()).isBetween(wallMs - 5, wallMs + 1);
    assertThat(suspensions).hasSize(1);
    assertThat(suspensions.get(0)).isBetween(3_599_990L, 3_600_000L);
    assertThat(deviations).isEmpty();
    assertThat(suspendable.deviations()).isZero();
  }

  @Test
  void shouldSkipEachSuspensionOnce() {
    SlewedClock suspendable = suspendable();
    suspendable.start(Long.MIN_VALUE);
    for (int i = 0; i < 3; i++) {
      suspend(Duration.ofMinutes(10));
      wallMs += 600_000;
      pass(suspendable, Duration.ofSeconds(2), Duration.ofMillis(10));
      assertThat(suspendable.nowMs()).isBetween(wallMs - 5, wallMs + 1);
    }
    wallMs += 600_000;
    long before = suspendable.nowMs();

    pass(suspendable, Duration.ofSeconds(10), Duration.ofMillis(10));

    assertThat(suspensions).hasSize(3);
    assertThat(suspendable.nowMs() - before).as("a jump by itself").isBetween(10_990L, 11_001L);
  }

  @Test
  void shouldSkipNoMoreThanTheWallClockIsAhead() {
    SlewedClock suspendable = suspendable();
    suspendable.start(START_MS + 50_000);

    suspend(Duration.ofSeconds(60));
    wallMs += 60_000;
    pass(suspendable, Duration.ofMillis(20), Duration.ofMillis(1));

    assertThat(suspendable.nowMs()).isBetween(wallMs - 5, wallMs + 1);
    assertThat(suspensions.get(0)).isBetween(9_900L, 10_010L);
  }

  @Test
  void shouldSkipASuspensionDuringADeviation() {
    SlewedClock suspendable = suspendable();
    suspendable.start(Long.MIN_VALUE);
    wallMs += 100_000;
    pass(suspendable, Duration.ofSeconds(10), Duration.ofMillis(10));

    suspend(Duration.ofHours(1));
    wallMs += 3_600_000;
    pass(suspendable, Duration.ofMillis(20), Duration.ofMillis(1));

    assertThat(suspensions.get(0)).isBetween(3_599_990L, 3_600_000L);
    assertThat(wallMs - suspendable.nowMs()).as("the deviation").isBetween(98_900L, 99_100L);
  }

  private SlewedClock suspendable() {
    ClockListener listener =
        new ClockListener() {
          @Override
          public void onDeviation(long aheadMs) {
            deviations.add(aheadMs);
          }

          @Override
          public void onSuspension(long skippedMs) {
            suspensions.add(skippedMs);
          }
        };
    return new SlewedClock(() -> nanoTime, () -> wallMs, () -> nanoTime + suspendedNs, listener);
  }

  private void suspend(Duration duration) {
    suspendedNs += duration.toNanos();
  }

  @Test
  void shouldRunATenthSlowerWhenTheWallClockJumpsBack() {
    clock.start(Long.MIN_VALUE);
    wallMs -= 3_600_000;

    long before = clock.nowMs();
    pass(Duration.ofSeconds(100), Duration.ofMillis(3));

    assertThat(clock.nowMs() - before).isBetween(89_999L, 90_100L);
    assertThat(deviations).hasSize(1);
    assertThat(clock.wallAheadMs()).isBetween(-3_600_000L, -3_580_000L);
  }

  @Test
  void shouldMakeUpNoMoreThanThereIsWhenNobodyAskedForLong() {
    clock.start(Long.MIN_VALUE);
    wallMs += 50;
    nanoTime += 20 * NS_PER_MS;
    wallMs += 20;
    clock.nowMs();

    pass(Duration.ofMinutes(10), Duration.ofMinutes(10));

    assertThat(clock.nowMs()).isBetween(wallMs - 1, wallMs + 1);
  }

  @Test
  void shouldTellADeviationAgainWhenItWasOverInBetween() {
    clock.start(Long.MIN_VALUE);
    wallMs += 2_000;
    pass(Duration.ofSeconds(60), Duration.ofMillis(10));
    assertThat(clock.nowMs()).isBetween(wallMs - 1, wallMs + 1);

    wallMs -= 2_000;
    pass(Duration.ofSeconds(60), Duration.ofMillis(10));

    assertThat(deviations).hasSize(2);
    assertThat(deviations.get(0)).isPositive();
    assertThat(deviations.get(1)).isNegative();
  }

  @Test
  void shouldNeverGoBackWhenTheWallClockJumpsAtRandom() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    clock.start(Long.MIN_VALUE);
    long last = clock.nowMs();
    for (int i = 0; i < 100_000; i++) {
      long step = random.nextLong(50 * NS_PER_MS);
      nanoTime += step;
      wallMs += random.nextInt(100) == 0 ? random.nextLong(-60_000, 60_000) : step / NS_PER_MS;
      long now = clock.nowMs();
      assertThat(now).isBetween(last, last + step * 11 / 10 / NS_PER_MS + 1);
      assertThat(clock.estimateMs()).isBetween(now - 6, now + 6);
      last = now;
    }
  }

  @Test
  void shouldSayHowLongToSleepWhenADeadlineIsAhead() {
    clock.start(Long.MIN_VALUE);
    clock.nowMs();

    assertThat(clock.nanosUntil(START_MS + 5)).isEqualTo(5 * NS_PER_MS);
    assertThat(clock.nanosUntil(START_MS - 5)).isZero();
    assertThat(clock.nanosUntil(Long.MAX_VALUE)).isGreaterThan(Duration.ofDays(365).toNanos());
  }

  /** Both clocks pass alike, and the log clock is read at every step. */
  private void pass(Duration time, Duration step) {
    pass(clock, time, step);
  }

  private void pass(SlewedClock passing, Duration time, Duration step) {
    for (long ns = 0; ns < time.toNanos(); ns += step.toNanos()) {
      nanoTime += step.toNanos();
      wallMs += step.toMillis();
      passing.nowMs();
    }
  }
}
