package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.cluster.ElectionState;
import io.entroq.engine.replica.Contact;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** When a member may answer reads. */
class LeaderContactTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long TERM = 7;
  private static final long NO_TERM = -1;

  private final FakeCluster cluster = new FakeCluster();
  private static final long STEP_NS = 900_000_000;

  private long sessionTermId = TERM;
  private long nowNs = Long.MAX_VALUE - 1_000;
  private final LeaderContact leaderContact =
      new LeaderContact(() -> sessionTermId, PATIENCE, cluster::counters, () -> nowNs);

  LeaderContactTest() {
    leaderContact.begin(cluster.cluster());
    cluster.follow(TERM);
  }

  @Test
  void shouldServeIfTheSessionHasTheSameLeader() {
    assertThat(leaderContact.hasLeader()).isTrue();
    assertThat(leaderContact.contact()).isEqualTo(Contact.LEADER);
    nowNs += PATIENCE.toNanos() * 100;
    assertThat(leaderContact.contact()).isEqualTo(Contact.LEADER);
  }

  /** Like a leader that is cut off: its session, with itself, still has the old term. */
  @ParameterizedTest
  @EnumSource(value = ElectionState.class, names = "CLOSED", mode = Mode.EXCLUDE)
  void shouldNotServeDuringAnElection(ElectionState state) {
    assertThat(leaderContact.contact()).isEqualTo(Contact.LEADER);
    cluster.vote(state);
    assertThat(leaderContact.hasLeader()).isFalse();
    assertThat(leaderContact.contact()).isEqualTo(Contact.ELECTION);
    nowNs += PATIENCE.toNanos() / 2;
    assertThat(leaderContact.contact()).isEqualTo(Contact.ELECTION);
  }

  @Test
  void shouldWaitForTheSessionUntilTheTimeout() {
    for (long elsewhere : new long[] {NO_TERM, TERM - 1}) {
      sessionTermId = elsewhere;
      assertThat(leaderContact.contact()).isEqualTo(Contact.LEADER);
      nowNs += PATIENCE.toNanos() - 1;
      assertThat(leaderContact.contact()).isEqualTo(Contact.LEADER);
      nowNs++;
      assertThat(leaderContact.contact()).isEqualTo(Contact.CUT_OFF);
      nowNs += PATIENCE.toNanos() * 100;
      assertThat(leaderContact.contact()).isEqualTo(Contact.CUT_OFF);
      sessionTermId = TERM;
      assertThat(leaderContact.contact()).isEqualTo(Contact.LEADER);
    }
  }

  @Test
  void shouldRestartTheTimeoutAfterAnElection() {
    sessionTermId = NO_TERM;
    assertThat(leaderContact.contact()).isEqualTo(Contact.LEADER);
    nowNs += PATIENCE.toNanos() - 1;
    cluster.vote(ElectionState.CANVASS);
    assertThat(leaderContact.contact()).isEqualTo(Contact.ELECTION);
    nowNs += PATIENCE.toNanos();
    cluster.follow(TERM + 1);
    assertThat(leaderContact.contact()).isEqualTo(Contact.LEADER);
    nowNs += PATIENCE.toNanos() - 1;
    assertThat(leaderContact.contact()).isEqualTo(Contact.LEADER);
    nowNs++;
    assertThat(leaderContact.contact()).isEqualTo(Contact.CUT_OFF);
  }

  /** Looks often for a while. */
  private boolean isCaughtUpAfter(Duration time, long position) {
    boolean isCaughtUp = leaderContact.isCaughtUp(position);
    for (long leftNs = time.toNanos(); leftNs > 0; leftNs -= STEP_NS) {
      nowNs += Math.min(STEP_NS, leftNs);
      isCaughtUp = leaderContact.isCaughtUp(position);
    }
    return isCaughtUp;
  }

  @Test
  void shouldHaveCaughtUpAfterTheTimeoutAtTheEndOfTheLog() {
    cluster.commit(100);
    assertThat(isCaughtUpAfter(PATIENCE.multipliedBy(2), 99)).isFalse();
    assertThat(isCaughtUpAfter(PATIENCE.minusNanos(1), 100)).isFalse();
    assertThat(isCaughtUpAfter(Duration.ofNanos(1), 100)).isTrue();
    cluster.commit(101);
    assertThat(leaderContact.isCaughtUp(100)).isFalse();
    assertThat(leaderContact.isCaughtUp(101)).isFalse();
    assertThat(isCaughtUpAfter(PATIENCE, 101)).isTrue();
  }

  @Test
  void shouldNotHaveCaughtUpAfterAnElectionOrAPause() {
    assertThat(isCaughtUpAfter(PATIENCE, 0)).isTrue();
    cluster.vote(ElectionState.CANVASS);
    assertThat(leaderContact.isCaughtUp(0)).isFalse();
    cluster.follow(TERM + 1);
    assertThat(leaderContact.isCaughtUp(0)).isFalse();
    assertThat(isCaughtUpAfter(PATIENCE, 0)).isTrue();
    // A leader that was stopped does not know that there is another.
    nowNs += PATIENCE.toNanos() + 2 * STEP_NS;
    assertThat(leaderContact.isCaughtUp(0)).isFalse();
    assertThat(isCaughtUpAfter(PATIENCE, 0)).isTrue();
  }
}
