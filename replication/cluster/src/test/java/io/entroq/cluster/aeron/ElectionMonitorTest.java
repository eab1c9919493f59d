package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.cluster.ElectionState;
import io.aeron.cluster.client.ClusterEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A member's log shows why elections started, how they ended, and how long they took. */
class ElectionMonitorTest {
  private final List<String> messages = new ArrayList<>();
  private final FakeElection election = new FakeElection();
  private final ElectionMonitor watch =
      new ElectionMonitor(
          election,
          Duration.ofMillis(150).toNanos(),
          Duration.ofMillis(600).toNanos(),
          () -> this.nowNs,
          messages::add);
  private long nowNs;

  ElectionMonitorTest() {
    election.termId = 4;
  }

  private void after(long ms, ElectionState next) {
    nowNs += Duration.ofMillis(ms).toNanos();
    election.state = next;
    watch.reportMeasurement(0);
  }

  /** Short steps. */
  private void pass(long ms) {
    for (long passed = 0; passed < ms; passed += 100) {
      after(100, election.state);
    }
  }

  private void follow() {
    after(0, ElectionState.INIT);
    after(10, ElectionState.CANVASS);
    after(90, ElectionState.CLOSED);
  }

  @Test
  void shouldReportTheFirstElection() {
    follow();
    assertThat(messages)
        .containsExactly(
            "starts and looks for a leader",
            "follows a leader in term 4 after 100 ms and 1 attempt: INIT 10 ms, CANVASS 90 ms");
  }

  @Test
  void shouldReportCauseAndResult() {
    follow();
    messages.clear();
    pass(1_000);
    watch.onError(new ClusterEvent("leader heartbeat timeout"));
    after(1, ElectionState.CANVASS);
    after(20, ElectionState.CANDIDATE_BALLOT);
    election.termId = 5;
    election.isLeader = true;
    after(30, ElectionState.CLOSED);
    assertThat(messages)
        .containsExactly(
            "starts an election in term 4: WARN - leader heartbeat timeout (heartbeat timeout 600 ms)",
            "leads in term 5 after 50 ms and 1 attempt: CANVASS 20 ms, CANDIDATE_BALLOT 30 ms");
  }

  @Test
  void shouldReportAStallOfItsOwn() {
    follow();
    messages.clear();
    watch.onError(new ClusterEvent("leader heartbeat timeout"));
    after(700, ElectionState.CANVASS);
    assertThat(messages)
        .containsExactly(
            "stalled in its consensus module for 700 ms",
            "starts an election in term 4: WARN - leader heartbeat timeout (heartbeat timeout 600 ms). Its own"
                + " consensus module stalled for 700 ms");
  }

  @Test
  void shouldReportOtherEventsOnce() {
    follow();
    messages.clear();
    for (int i = 0; i < 3; i++) {
      watch.onError(new ClusterEvent("catchup replay failed"));
      after(1, ElectionState.CLOSED);
    }
    watch.onError(new IllegalStateException("messages of elsewhere"));
    after(1, ElectionState.CLOSED);
    after(1, ElectionState.CANVASS);
    assertThat(messages)
        .containsExactly("reports: WARN - catchup replay failed", "starts an election in term 4");
  }

  @Test
  void shouldReportEachReasonForNotJoiningOnce() {
    after(0, ElectionState.INIT);
    for (String reason : List.of("failed to join catchup log", "x", "x", "x")) {
      after(1, ElectionState.FOLLOWER_CATCHUP_AWAIT);
      watch.onError(new ClusterEvent(reason));
      after(100, ElectionState.INIT);
    }
    after(9, ElectionState.CLOSED);
    assertThat(messages)
        .hasSize(4)
        .startsWith(
            "starts and looks for a leader",
            "could not join the cluster: WARN - failed to join catchup log, after 100 ms in"
                + " FOLLOWER_CATCHUP_AWAIT. It retries",
            "could not join the cluster: WARN - x, after 100 ms in FOLLOWER_CATCHUP_AWAIT. It retries")
        .last()
        .asString()
        .startsWith("follows a leader in term 4 after 413 ms and 5 attempts: ");
  }

  @Test
  void shouldLimitTheNumberOfReasons() {
    after(0, ElectionState.INIT);
    messages.clear();
    for (int i = 0; i < 1_000; i++) {
      after(1, ElectionState.FOLLOWER_CATCHUP_AWAIT);
      watch.onError(new ClusterEvent("no catch-up from position " + i));
      after(1, ElectionState.INIT);
    }
    assertThat(messages)
        .hasSize(16)
        .allMatch(line -> line.startsWith("could not join the cluster"));
  }

  @Test
  void shouldReportALongElectionRarely() {
    after(0, ElectionState.CANVASS);
    messages.clear();
    pass(39_000);
    assertThat(messages)
        .containsExactly(
            "has had no leader for 10,000 ms and 1 attempt; it is in state CANVASS",
            "has had no leader for 20,000 ms and 1 attempt; it is in state CANVASS");
  }
}
