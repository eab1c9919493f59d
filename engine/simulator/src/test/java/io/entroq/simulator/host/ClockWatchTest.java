package io.entroq.simulator.host;

import static io.entroq.simulator.check.Broken.assertBroken;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.EventQueue;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private final EventQueue events = new EventQueue();
  private final HostClock clock = new HostClock(events);
  private final ClockWatch watch = new ClockWatch(clock);
  private final long startMs = clock.wallMs();

  /** A second passes, and log time is checked. */
  private void check(long logMs) {
    events.in(SECOND_NS, () -> {});
    events.step();
    watch.check(startMs + logMs);
  }

  @Test
  void shouldAcceptLogTimeThatGoesAsRealTimeDoes() {
    check(1_000);
    check(2_000);
    check(3_000);
  }

  @Test
  void shouldAcceptLogTimeThatGoesTowardsTheWallClock() {
    check(500);
    check(1_600);
    check(2_700);
  }

  @Test
  void shouldNotAcceptLogTimeThatStandsStill() {
    check(1_000);

    assertBroken(Invariant.LOG_TIME_RUNS, () -> check(1_000));
  }

  @Test
  void shouldNotAcceptLogTimeThatJumps() {
    check(1_000);

    assertBroken(Invariant.LOG_TIME_RUNS, () -> check(2_200));
  }
}
