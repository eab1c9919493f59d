package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.cluster.ElectionState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The steps of an election get more time when they fail, and lose it when all is calm. */
class ElectionPatienceTest {
  private static final long HEARTBEAT_MS = 600;
  private static final long BALLOT_MS = 150;

  private long stepMs;
  private long ballotMs;
  private long nowNs = -1;
  private boolean isLeaderLeaving;
  private final ElectionPatience patience =
      new ElectionPatience(
          Duration.ofMillis(HEARTBEAT_MS).toNanos(),
          Duration.ofMillis(BALLOT_MS).toNanos(),
          (step, ballot) -> {
            stepMs = Duration.ofNanos(step).toMillis();
            ballotMs = Duration.ofNanos(ballot).toMillis();
          });

  private void pass(ElectionState... states) {
    for (ElectionState state : states) {
      nowNs += Duration.ofMillis(10).toNanos();
      patience.onCycle(state, nowNs, isLeaderLeaving);
      patience.onCycle(state, nowNs + 1, isLeaderLeaving);
    }
  }

  @Test
  void shouldLookForALeaderAsSoonAsEver() {
    for (ElectionState state :
        List.of(
            ElectionState.INIT,
            ElectionState.CANVASS,
            ElectionState.NOMINATE,
            ElectionState.CANDIDATE_BALLOT,
            ElectionState.FOLLOWER_BALLOT)) {
      pass(state);
      assertThat(stepMs).as(state.name()).isEqualTo(HEARTBEAT_MS);
      assertThat(ballotMs).isEqualTo(BALLOT_MS);
    }
  }

  @Test
  void shouldDoubleTheTimeOfStepsWhenTheyFail() {
    for (long expected : new long[] {1_200, 2_400, 4_800, 5_000, 5_000}) {
      pass(ElectionState.INIT, ElectionState.CANVASS);
      assertThat(stepMs).isEqualTo(HEARTBEAT_MS);
      pass(ElectionState.FOLLOWER_LOG_AWAIT);
      assertThat(stepMs).isEqualTo(expected);
      pass(ElectionState.FOLLOWER_READY);
      assertThat(stepMs).isEqualTo(expected);
    }
    assertThat(ballotMs).isEqualTo(BALLOT_MS);
  }

  @Test
  void shouldDoubleTheTimeOfBallotsWhenNobodyWins() {
    pass(ElectionState.INIT);
    for (long expected : new long[] {150, 300, 600, 1_000, 1_000}) {
      pass(ElectionState.CANVASS, ElectionState.NOMINATE);
      assertThat(ballotMs).isEqualTo(expected);
      pass(ElectionState.CANDIDATE_BALLOT);
    }
    pass(ElectionState.LEADER_READY);
    assertThat(stepMs).isEqualTo(2 * HEARTBEAT_MS);
  }

  @Test
  void shouldKeepTheTimeWhileElectionsFollowEachOther() {
    fail();
    pass(ElectionState.CLOSED);
    nowNs += Duration.ofSeconds(9).toNanos();
    pass(ElectionState.INIT, ElectionState.CANVASS, ElectionState.FOLLOWER_READY);
    assertThat(stepMs).isEqualTo(2_400);
  }

  @Test
  void shouldNarrowTheTimeWhenTheLastElectionIsLongAgo() {
    fail();
    pass(ElectionState.CLOSED);
    nowNs += Duration.ofSeconds(10).toNanos();
    pass(ElectionState.INIT, ElectionState.CANVASS, ElectionState.FOLLOWER_READY);
    assertThat(stepMs).isEqualTo(1_200);
  }

  private void fail() {
    pass(ElectionState.INIT, ElectionState.FOLLOWER_READY, ElectionState.INIT);
    pass(ElectionState.FOLLOWER_READY);
    assertThat(stepMs).isEqualTo(2_400);
  }

  @Test
  void shouldNotWaitLongForTheVoteOfALeaderThatHasLeft() {
    pass(ElectionState.CLOSED);
    isLeaderLeaving = true;
    pass(ElectionState.INIT);
    isLeaderLeaving = false;
    for (long expected : new long[] {30, 60, 120}) {
      pass(ElectionState.CANVASS, ElectionState.NOMINATE);
      assertThat(ballotMs).isEqualTo(expected);
      pass(ElectionState.FOLLOWER_BALLOT);
    }
    pass(ElectionState.FOLLOWER_READY, ElectionState.CLOSED, ElectionState.INIT);
    assertThat(ballotMs).as("the next one").isEqualTo(BALLOT_MS);
  }

  @Test
  void shouldNotNarrowALongLimit() {
    ElectionPatience slow =
        new ElectionPatience(
            Duration.ofSeconds(10).toNanos(),
            Duration.ofSeconds(3).toNanos(),
            (step, ballot) -> {
              stepMs = Duration.ofNanos(step).toMillis();
              ballotMs = Duration.ofNanos(ballot).toMillis();
            });
    slow.onCycle(ElectionState.CANDIDATE_BALLOT, 1, false);
    slow.onCycle(ElectionState.CANVASS, 2, false);
    slow.onCycle(ElectionState.INIT, 3, false);
    slow.onCycle(ElectionState.FOLLOWER_READY, 4, false);
    assertThat(stepMs).isEqualTo(20_000);
    assertThat(ballotMs).isEqualTo(3_000);
  }
}
