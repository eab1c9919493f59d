package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A member does not take its own stalls for the silence of others, and still finds them silent. */
class MemberClockTest {
  private static final Duration TIMEOUT = Duration.ofMillis(600);
  private static final Duration CYCLE = Duration.ofMillis(1);
  private static final long START_MS = 1_700_000_000_000L;

  private long nanoTime = -5_000_000_000L;
  private long logTimeMs = START_MS;
  private long driverNs = nanoTime;
  private boolean isSettled = true;
  private final MemberClock clock =
      new MemberClock(() -> logTimeMs, () -> nanoTime, () -> driverNs, TIMEOUT.toNanos());

  MemberClockTest() {
    cycle(Duration.ofSeconds(5));
  }

  /** A duty cycle of the consensus module; the driver runs beside it. */
  private void cycle(Duration length) {
    nanoTime += length.toNanos();
    driverNs = nanoTime;
    clock.onCycle(isSettled);
  }

  private void cycles(Duration time) {
    for (long ns = 0; ns < time.toNanos(); ns += CYCLE.toNanos()) {
      cycle(CYCLE);
    }
  }

  /** How far liveness time gets in cycles of a length, until it has passed the timeout. */
  private Duration timeout(Duration cycle) {
    long startNs = nanoTime;
    long deadlineNs = clock.timeNanos() + TIMEOUT.toNanos();
    while (clock.timeNanos() < deadlineNs) {
      cycle(cycle);
    }
    return Duration.ofNanos(nanoTime - startNs);
  }

  @Test
  void shouldPassWithRealTimeFromTheStart() {
    assertThat(timeout(CYCLE)).isBetween(TIMEOUT, TIMEOUT.plusMillis(10));
  }

  @Test
  void shouldGiveLogTimeToTheLog() {
    logTimeMs = START_MS + 5;
    cycle(Duration.ofHours(1));
    assertThat(clock.time()).isEqualTo(START_MS + 5);
    assertThat(clock.timeMillis()).isEqualTo(START_MS + 5);
  }

  @Test
  void shouldJudgeAndReadByTheSameTime() {
    long before = clock.timeNanos();
    nanoTime += Duration.ofMinutes(1).toNanos();
    logTimeMs += Duration.ofMinutes(1).toMillis();
    assertThat(clock.convertToNanos(clock.time())).as("at the judging").isEqualTo(before);
    clock.onCycle(true);
    assertThat(clock.convertToNanos(clock.time()))
        .as("at the reading")
        .isEqualTo(clock.timeNanos())
        .isGreaterThan(before);
  }

  @Test
  void shouldCountAStallAsAQuarterOfTheTimeoutAtMost() {
    cycles(Duration.ofSeconds(1));
    for (int i = 0; i < 3; i++) {
      long before = clock.timeNanos();
      cycle(Duration.ofSeconds(100));
      assertThat(clock.timeNanos() - before).isBetween(1L, TIMEOUT.toNanos() / 4);
    }
  }

  @Test
  void shouldHardlyPassWhileTheDriverStalls() {
    cycles(Duration.ofSeconds(1));
    long before = clock.timeNanos();
    for (int i = 0; i < 5_000; i++) {
      nanoTime += CYCLE.toNanos();
      clock.onCycle(true);
    }
    assertThat(clock.timeNanos() - before)
        .isBetween(1L, TIMEOUT.toNanos() / 4 + Duration.ofSeconds(5).toNanos() / 16);
  }

  @Test
  void shouldPassSlowerWhileThreadsStall() {
    assertThat(timeout(Duration.ofMillis(100)))
        .as("the timeout allows for short ones")
        .isEqualTo(TIMEOUT);
    assertThat(timeout(Duration.ofMillis(250)))
        .as("two stalls of 250 ms, of this member and of another, are no silence")
        .isGreaterThan(Duration.ofMillis(900));
    assertThat(timeout(Duration.ofSeconds(5)))
        .as("at least four cycles")
        .isGreaterThanOrEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void shouldFindSilenceWithinFourTimeoutsHoweverLongThreadsHaveStalled() {
    cycle(Duration.ofHours(1));
    assertThat(timeout(CYCLE)).isLessThanOrEqualTo(TIMEOUT.multipliedBy(4).plus(CYCLE));
  }

  @Test
  void shouldForgetStalls() {
    cycle(Duration.ofHours(1));
    cycles(Duration.ofSeconds(30));
    assertThat(timeout(CYCLE)).isBetween(TIMEOUT, TIMEOUT.plusMillis(50));
  }

  @Test
  void shouldNotTakeTheLongCyclesOfAnElectionForStalls() {
    isSettled = false;
    cycle(Duration.ofSeconds(1));
    isSettled = true;
    cycle(Duration.ofSeconds(1));
    assertThat(timeout(CYCLE)).isBetween(TIMEOUT, TIMEOUT.plusMillis(10));
  }

  @Test
  void shouldPassFifteenTimesFasterOnceTheLeaderLeaves() {
    clock.onLeaderLeaving();
    assertThat(timeout(CYCLE)).isEqualTo(TIMEOUT.dividedBy(15));
  }

  @Test
  void shouldNeedFourCyclesAlsoWhenTheLeaderLeaves() {
    clock.onLeaderLeaving();
    assertThat(timeout(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void shouldPassWithRealTimeOnceAnElectionHasBegun() {
    clock.onLeaderLeaving();
    cycle(CYCLE);
    isSettled = false;
    cycle(CYCLE);
    assertThat(timeout(CYCLE)).as("during the election").isGreaterThanOrEqualTo(TIMEOUT);
    isSettled = true;
    assertThat(timeout(CYCLE)).as("after it").isGreaterThanOrEqualTo(TIMEOUT);
  }

  @Test
  void shouldPassWithRealTimeIfTheLeaderStaysNevertheless() {
    clock.onLeaderLeaving();
    cycles(TIMEOUT.plus(CYCLE));
    assertThat(timeout(CYCLE)).isGreaterThanOrEqualTo(TIMEOUT);
  }

  @Test
  void shouldStayBehindLogTime() {
    cycles(Duration.ofMinutes(1));
    assertThat(clock.timeNanos()).isLessThan(Duration.ofMillis(START_MS).toNanos());
  }
}
