package io.entroq.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What is measured, by a clock that only the queue moves, and waiting for the next cycle. */
class LatencyTest {
  private static final Duration RUN = Duration.ofSeconds(2);
  private static final Duration STALL = Duration.ofMillis(40);

  @Test
  void shouldSeeAStallInEveryCycleThatItDelays() {
    LoadResult result = run(Configs.open(RUN, 1_000), Duration.ofNanos(10_000), 500);
    assertThat(result.totals().cycles()).isEqualTo(2_000);
    Percentiles cycle = result.latencies().get(Operation.CYCLE);
    // 40 of 2,000 cycles were due while it lasted, and half of them waited for half of it.
    assertThat(cycle.p50()).isBetween(29.0, 31.0);
    assertThat(cycle.p99()).isBetween(18_000.0, 22_000.0);
    assertThat(cycle.max()).isBetween(40_000.0, 40_100.0);
    assertThat(result.latencies().get(Operation.INSERT).p99()).isBetween(18_000.0, 22_000.0);
    assertThat(result.latencies().get(Operation.LATE).p99()).isBetween(18_000.0, 22_000.0);
    // What is called at once in a cycle is timed by itself.
    assertThat(result.latencies().get(Operation.DELETE).p99()).isBetween(9.0, 11.0);
    assertThat(result.overdue()).isZero();
    assertThat(result.isRight()).isTrue();
  }

  @Test
  void shouldSeeAStallOnceWhenCyclesWaitForIt() {
    LoadResult result = run(Configs.closed(RUN), Duration.ofMillis(1), 300);
    Percentiles cycle = result.latencies().get(Operation.CYCLE);
    assertThat(cycle.p99()).isBetween(2_990.0, 3_010.0);
    assertThat(cycle.max()).isBetween(42_900.0, 43_100.0);
    assertThat(result.latencies().get(Operation.LATE).count()).isZero();
  }

  @Test
  void shouldReportWhatWasDueAndNotBegunWhenItCannotKeepUp() {
    LoadResult result = run(Configs.open(Duration.ofSeconds(1), 1_000), Duration.ofMillis(1), 0);
    assertThat(result.totals().cycles()).isEqualTo(334);
    assertThat(result.overdue()).isEqualTo(666);
    assertThat(result.overdueMost()).isGreaterThanOrEqualTo(666);
    assertThat(result.latencies().get(Operation.CYCLE).max()).isBetween(660_000.0, 680_000.0);
    assertThat(result.cyclesPerSecond()).isBetween(330.0, 334.0);
  }

  @Test
  void shouldMeasureNothingOfTheWarmUpAndCheckItAllTheSame() {
    LoadConfig warm =
        new LoadConfig(Duration.ofSeconds(1), RUN, 1, 1, 32, 0, 1, OptionalDouble.of(100));
    LoadResult result = run(warm, Duration.ofNanos(10_000), 50);
    assertThat(result.totals().cycles()).isEqualTo(300);
    assertThat(result.totals().measuredCycles()).isEqualTo(200);
    assertThat(result.cyclesPerSecond()).isEqualTo(100);
    assertThat(result.latencies().get(Operation.CYCLE).count()).isEqualTo(200);
    assertThat(result.latencies().get(Operation.CYCLE).max()).isLessThan(1_000);
    assertThat(result.balance().inserted()).isEqualTo(300);
    assertThat(result.isRight()).isTrue();
  }

  /**
   * Runs with a queue that takes its time.
   *
   * @param call how long a call takes
   * @param stalling the claim that takes 40 milliseconds more; 0: none
   */
  private LoadResult run(LoadConfig config, Duration call, int stalling) {
    QueueDouble slow =
        new QueueDouble() {
          @Override
          public List<Task> tryClaimMany(Claim claim) {
            boolean isStalling = claims.incrementAndGet() == stalling;
            clock.advance(isStalling ? call.plus(STALL) : call);
            return engine.tryClaimMany(claim);
          }

          @Override
          public ModifyResult modify(Modification modification) {
            clock.advance(call);
            return engine.modify(modification);
          }
        };
    try (slow) {
      return new LoadRun(config, List.of(slow), LoadListener.NONE, () -> false, slow.clock).run();
    }
  }
}
