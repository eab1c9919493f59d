package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.entroq.service.http.Health;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A member's health as gRPC reports it, with a manual clock. */
class ReadinessMonitorTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final List<Boolean> told = new ArrayList<>();
  private boolean isReady;
  private boolean isDead;

  @ParameterizedTest
  @MethodSource("clockStarts")
  void shouldNotServeBeforeItHasBeenReady(long startNs) {
    Clock clock = new Clock(startNs);
    ReadinessMonitor monitor = monitor(clock);

    monitor.check();
    clock.advance(GRACE.dividedBy(2));
    monitor.check();
    assertThat(told).containsExactly(false, false);

    isReady = true;
    monitor.check();
    assertThat(told).endsWith(true);
  }

  @ParameterizedTest
  @MethodSource("clockStarts")
  void shouldServeFor30SecondsAfterItWasLastReady(long startNs) {
    Clock clock = new Clock(startNs);
    ReadinessMonitor monitor = monitor(clock);
    isReady = true;
    monitor.check();
    clock.advance(Duration.ofHours(1));
    monitor.check();

    isReady = false;
    clock.advance(GRACE.minusNanos(1));
    monitor.check();
    assertThat(told).containsExactly(true, true, true);
    clock.advance(Duration.ofNanos(1));
    monitor.check();
    assertThat(told).endsWith(false);
    clock.advance(Duration.ofDays(400));
    monitor.check();
    assertThat(told).endsWith(false, false);
  }

  @ParameterizedTest
  @MethodSource("clockStarts")
  void shouldRestartTheGracePeriodWheneverItIsReady(long startNs) {
    Clock clock = new Clock(startNs);
    ReadinessMonitor monitor = monitor(clock);
    for (int vote = 0; vote < 10; vote++) {
      isReady = true;
      monitor.check();
      isReady = false;
      clock.advance(GRACE.minusSeconds(1));
      monitor.check();
    }
    assertThat(told).hasSize(20).doesNotContain(false);
  }

  @Test
  void shouldNotServeOnceTheMemberHasEnded() {
    ReadinessMonitor monitor = monitor(new Clock(0));
    isReady = true;
    monitor.check();

    isReady = false;
    isDead = true;
    monitor.check();
    assertThat(told).containsExactly(true, false);
  }

  /** Values of System.nanoTime, which may be negative and may overflow. */
  static Stream<Arguments> clockStarts() {
    return Stream.of(
        arguments(0L), arguments(-GRACE.toNanos() / 2), arguments(Long.MAX_VALUE - 1_000_000_000L));
  }

  private ReadinessMonitor monitor(Clock clock) {
    return new ReadinessMonitor(new Member(), told::add, clock::now);
  }

  private static final class Clock {
    private long nowNs;

    Clock(long nowNs) {
      this.nowNs = nowNs;
    }

    void advance(Duration time) {
      nowNs += time.toNanos();
    }

    long now() {
      return nowNs;
    }
  }

  private final class Member implements Health {
    @Override
    public Optional<String> unreadyBecause() {
      return isReady ? Optional.empty() : Optional.of("the member has no leader");
    }

    @Override
    public Optional<String> deadBecause() {
      return isDead ? Optional.of("the member has ended") : Optional.empty();
    }
  }
}
