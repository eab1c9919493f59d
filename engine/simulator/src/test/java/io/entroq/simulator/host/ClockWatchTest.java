package io.entroq.simulator.host;

import static io.entroq.simulator.check.Broken.assertBroken;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.EventQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClockWatchTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private final EventQueue events = new EventQueue();
  private final HostClock clock = new HostClock(events);
  private final ClockWatch watch = new ClockWatch(clock);
  private final long startMs = clock.wallMs();

  /** A second passes, and log time is told. */
  private void look(long logMs) {
    events.in(SECOND_NS, () -> {});
    events.step();
    watch.look(startMs + logMs);
  }

  @Test
  void shouldAcceptLogTimeThatGoesAsRealTimeDoes() {
    look(1_000);
    look(2_000);
    look(3_000);
  }

  @Test
  void shouldAcceptLogTimeThatGoesTowardsTheWallClock() {
    look(500);
    look(1_600);
    look(2_700);
  }

  @Test
  void shouldNotAcceptLogTimeThatStandsStill() {
    look(1_000);

    assertBroken(Invariant.LOG_TIME_RUNS, () -> look(1_000));
  }

  @Test
  void shouldNotAcceptLogTimeThatJumps() {
    look(1_000);

    assertBroken(Invariant.LOG_TIME_RUNS, () -> look(2_200));
  }
}
