package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.cluster.ClusterMember;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.NodeStateFile;
import io.aeron.cluster.RecordingLog;
import io.aeron.cluster.client.ClusterEvent;
import io.aeron.cluster.codecs.AppendPositionEncoder;
import io.aeron.cluster.codecs.CanvassPositionEncoder;
import io.aeron.cluster.codecs.CommitPositionEncoder;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.NewLeadershipTermEncoder;
import io.aeron.cluster.codecs.RequestVoteEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TermGuardTest {
  private static final int SELF = 0;
  private static final int OTHER = 1;
  private static final long RECORDING = 7;
  private static final int LOG_LENGTH = 1_000;

  @TempDir Path directory;

  private final MutableDirectBuffer buffer = new ExpandableArrayBuffer();
  private final MessageHeaderEncoder header = new MessageHeaderEncoder();
  private final List<Integer> passed = new ArrayList<>();
  private final List<String> messages = new ArrayList<>();
  private final ClusterMember[] members =
      ClusterMember.parse("0,a:1,a:2,a:3,a:4,a:5|1,b:1,b:2,b:3,b:4,b:5|2,c:1,c:2,c:3,c:4,c:5");

  private final FakeElection election = new FakeElection();
  private NodeStateFile nodeState;
  private RecordingLog recordingLog;
  private TermGuard guard;

  @BeforeEach
  void createFiles() throws Exception {
    election.state = ElectionState.CANVASS;
    nodeState = new NodeStateFile(directory.toFile(), true, 0);
    recordingLog = new RecordingLog(directory.toFile(), true);
    guard =
        new TermGuard(
            election, SELF, () -> nodeState, () -> recordingLog, System::nanoTime, messages::add);
    guard.guard(
        (data, offset, length, unused) ->
            passed.add(new MessageHeaderDecoder().wrap(data, offset).templateId()),
        members);
  }

  @AfterEach
  void closeFiles() {
    nodeState.close();
    recordingLog.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"CANVASS", "NOMINATE", "CANDIDATE_BALLOT", "FOLLOWER_BALLOT"})
  void shouldNotJoinALeaderOfAnEarlierTermThanItHasVotedIn(ElectionState looking) {
    election.state = looking;
    vote(5);
    newTerm(4);
    commit(4);
    assertThat(passed).isEmpty();
    assertThat(messages)
        .containsExactly(
            "does not join member 1, the leader of term 4, because it has or may have voted in term 5; asks for a new election");
    newTerm(5);
    commit(5);
    assertThat(passed)
        .containsExactly(NewLeadershipTermEncoder.TEMPLATE_ID, CommitPositionEncoder.TEMPLATE_ID);
  }

  @Test
  void shouldNotJoinALeaderOfAnEarlierTermThanThatOfItsLastLeader() {
    newTerm(5);
    newTerm(4);
    assertThat(passed).hasSize(1);
    assertThat(nodeState.candidateTerm().candidateTermId()).as("kept").isEqualTo(5);
  }

  @Test
  void shouldNotJoinALeaderOfAnEarlierTermThanItFollowedInBeforeVotesWereKeptWithIt() {
    election.termId = 5;
    newTerm(4);
    assertThat(passed).isEmpty();
  }

  /**
   * The lost member's vote in term 5 may still count, so it must not be committed with in term 4.
   */
  @Test
  void shouldJoinNoLeaderBeforeTheFirstTermInWhichALostMemberHasNotVoted() {
    nodeState.proposeMaxCandidateTermId(5, LOG_LENGTH, 0);
    election.termId = 4;
    newTerm(4);
    commit(4);
    assertThat(passed).isEmpty();
    assertThat(messages).singleElement().asString().contains("has or may have voted in term 5");
    newTerm(5);
    assertThat(passed).hasSize(1);
  }

  @Test
  void shouldSayWhyItCannotGuard() {
    assertThatThrownBy(() -> guard.guard(new NoModule()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("NoSuchFieldException: consensusAdapter");
  }

  private static final class NoModule implements Agent {
    @Override
    public int doWork() {
      return 0;
    }

    @Override
    public String roleName() {
      return "none";
    }
  }

  /** A vote against a candidate raises its term too, and says nothing about the leader. */
  @ParameterizedTest
  @EnumSource(names = {"FOLLOWER_REPLAY", "FOLLOWER_LOG_AWAIT", "FOLLOWER_READY", "CLOSED"})
  void shouldGoOnFollowingALeaderThatItHasJoined(ElectionState joined) {
    election.state = joined;
    vote(5);
    newTerm(4);
    commit(4);
    assertThat(passed).hasSize(2);
  }

  @Test
  void shouldEndATermThatWaitsForFollowersWhenOneHasVotedInALaterOne() {
    lead(4);
    election.state = ElectionState.LEADER_READY;
    requestVote(4);
    assertThatThrownBy(() -> requestVote(5))
        .isInstanceOf(ClusterEvent.class)
        .hasMessageContaining("member 1 has or may have voted in term 5, so term 4 ends");
    election.state = ElectionState.CLOSED;
    requestVote(5);
    assertThat(passed).hasSize(3);
  }

  @Test
  void shouldCountALogOfItsOwnTermWhole() {
    lead(4);
    other(4, 900);
    appendPosition();
    assertThat(members[OTHER].logPosition()).isEqualTo(900);
  }

  @Test
  void shouldCountALogOfAnEarlierTermOnlyAsFarAsItsOwnOneOfThatTerm() {
    term(2, 100);
    term(4, 600);
    lead(4);
    other(2, 900);
    canvass();
    assertThat(members[OTHER].logPosition()).isEqualTo(600);
    other(2, 500);
    canvass();
    assertThat(members[OTHER].logPosition()).isEqualTo(500);
  }

  @Test
  void shouldNotCountALogOfATermThatItsOwnHasNot() {
    term(2, 100);
    term(4, 600);
    lead(4);
    other(3, 900);
    canvass();
    assertThat(members[OTHER].logPosition()).isZero();
  }

  @Test
  void shouldCountALogOfItsLastTermWholeBeforeItsOwnHasBegun() {
    term(2, 100);
    lead(4);
    other(2, 900);
    canvass();
    assertThat(members[OTHER].logPosition()).isEqualTo(900);
  }

  /** Candidates compare whole logs. */
  @Test
  void shouldBoundLogsOnlyWhenItLeads() {
    term(2, 100);
    other(1, 900);
    canvass();
    guard.onCycle();
    assertThat(members[OTHER].logPosition()).isEqualTo(900);
    lead(4);
    guard.onCycle();
    assertThat(members[OTHER].logPosition()).isZero();
  }

  private void vote(long term) {
    nodeState.updateCandidateTermId(term, LOG_LENGTH, 0);
  }

  private void lead(long term) {
    election.isLeader = true;
    members[SELF].candidateTermId(term);
    election.state = ElectionState.LEADER_LOG_REPLICATION;
  }

  private void term(long term, long basePosition) {
    recordingLog.appendTerm(RECORDING, term, basePosition, 0);
  }

  /** What the module keeps of a message. */
  private void other(long term, long position) {
    members[OTHER].leadershipTermId(term).logPosition(position);
  }

  private void newTerm(long term) {
    new NewLeadershipTermEncoder()
        .wrapAndApplyHeader(buffer, 0, header)
        .leadershipTermId(term)
        .leaderMemberId(OTHER);
    deliver();
  }

  private void commit(long term) {
    new CommitPositionEncoder()
        .wrapAndApplyHeader(buffer, 0, header)
        .leadershipTermId(term)
        .leaderMemberId(OTHER);
    deliver();
  }

  private void requestVote(long term) {
    new RequestVoteEncoder()
        .wrapAndApplyHeader(buffer, 0, header)
        .candidateTermId(term)
        .candidateMemberId(OTHER);
    deliver();
  }

  private void canvass() {
    new CanvassPositionEncoder().wrapAndApplyHeader(buffer, 0, header).followerMemberId(OTHER);
    deliver();
  }

  private void appendPosition() {
    new AppendPositionEncoder().wrapAndApplyHeader(buffer, 0, header).followerMemberId(OTHER);
    deliver();
  }

  private void deliver() {
    guard.onFragment(buffer, 0, buffer.capacity(), null);
  }
}
