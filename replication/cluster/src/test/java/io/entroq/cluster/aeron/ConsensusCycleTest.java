package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.cluster.ElectionState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What one duty cycle hands on to the next step of the same cycle. */
class ConsensusCycleTest {
  private static final long HEARTBEAT_NS = Duration.ofMillis(600).toNanos();
  private static final long BALLOT_NS = Duration.ofMillis(150).toNanos();

  private final FakeElection election = new FakeElection();
  private long nowNs = -5_000_000_000L;
  private long ballotNs;
  private final MemberClock clock =
      new MemberClock(() -> 1_700_000_000_000L, () -> nowNs, () -> nowNs, HEARTBEAT_NS);
  private final ConsensusCycle cycle =
      new ConsensusCycle(
          new ElectionMonitor(election, HEARTBEAT_NS, HEARTBEAT_NS, () -> nowNs, line -> {}),
          new ElectionPatience(HEARTBEAT_NS, BALLOT_NS, (step, ballot) -> ballotNs = ballot),
          clock,
          new TermGuard(election, 0, () -> null, () -> null, () -> nowNs, line -> {}),
          () -> nowNs);

  /** The clock forgets it in the cycle in which the election begins. */
  @Test
  void shouldShortenTheFirstBallotAfterALeaderHasLeft() {
    pass(ElectionState.INIT);
    pass(ElectionState.CLOSED);
    clock.onLeaderLeaving();
    pass(ElectionState.CLOSED);
    assertThat(ballotNs).isEqualTo(BALLOT_NS);
    pass(ElectionState.CANVASS);
    assertThat(ballotNs).isLessThan(BALLOT_NS);
    assertThat(clock.isLeaderLeaving()).isFalse();
  }

  /** Liveness time stands still while the module judges by it. */
  @Test
  void shouldAdvanceTheClockInEachCycle() {
    pass(ElectionState.CLOSED);
    long beforeNs = clock.timeNanos();
    pass(ElectionState.CLOSED);
    assertThat(clock.timeNanos()).isGreaterThan(beforeNs);
  }

  private void pass(ElectionState state) {
    election.state = state;
    nowNs += 1_000_000;
    cycle.reportMeasurement(1_000_000);
  }
}
