package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.ClientSession;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.cluster.level.LevelMessage;
import io.entroq.cluster.level.LevelRange;
import io.entroq.cluster.level.LevelSurvey;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.replica.SeedMismatchException;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A member's service without processes and network; the test provides the log. */
class QueueServiceTest {
  private static final String QUEUE = "inbox";
  private static final long TERM = LoneService.TERM;
  private static final Claim WAITING = Claim.from(QUEUE).withMaxWait(Duration.ofMinutes(10));

  private LoneService lone = new LoneService((StateMachine) null);

  @AfterEach
  void close() {
    lone.close();
  }

  @Test
  void shouldHoldReadsUntilThereIsALeader() throws Exception {
    lone.startAlone();
    lone.turn();
    assertThat(lone.answer(lone.engine.queue().tasksAsync(TaskQuery.in(QUEUE)))).isEmpty();

    lone.cluster.vote(ElectionState.CANVASS);
    CompletableFuture<List<Task>> read = lone.engine.queue().tasksAsync(TaskQuery.in(QUEUE));
    lone.turn();
    lone.turn();
    assertThat(read).isNotDone();

    lone.cluster.follow(TERM + 1);
    assertThat(lone.answer(read)).isEmpty();
  }

  @Test
  void shouldKeepCallersThatHaveAnotherSession() throws Exception {
    lone.startAlone();
    ClientSession first = lone.cluster.open(lone.engine.incarnation());
    ClientSession second = lone.cluster.open(lone.engine.incarnation());
    CompletableFuture<List<Task>> parked = lone.engine.queue().claimAsync(WAITING.withLimit(1));
    lone.turn();
    assertThat(parkedCount()).isEqualTo(1);
    long before = lone.service.appliedSequence();

    lone.close(first);
    assertThat(parkedCount()).as("claims that wait").isEqualTo(1);
    assertThat(lone.service.appliedSequence()).as("nothing was done").isEqualTo(before);

    lone.close(second);
    assertThat(parkedCount()).as("claims that wait").isZero();
    assertThat(lone.service.appliedSequence()).isGreaterThan(before);
    assertThat(parked).isNotDone();
  }

  @Test
  void shouldReturnAssignmentsOnlyWithTheLastSession() throws Exception {
    lone.startAlone();
    ClientSession first = lone.cluster.open(lone.engine.incarnation());
    ClientSession second = lone.cluster.open(lone.engine.incarnation());
    ClientSession others = lone.cluster.open(lone.engine.incarnation() + 2);
    lone.cluster.open(lone.engine.incarnation() + 4);
    lone.answer(lone.engine.queue().modifyAsync(Modification.insert(QUEUE, "hello")));
    Task task = lone.answer(lone.engine.queue().claimAsync(WAITING)).get(0);

    lone.close(others);
    lone.close(first);
    assertThat(version(task)).isEqualTo(task.version());

    lone.close(second);
    assertThat(version(task)).isGreaterThan(task.version());
  }

  @Test
  void shouldRearmItsTimerForANewLeaderAndAfterItFires() {
    lone.startAlone();
    CompletableFuture<List<Task>> parked = lone.engine.queue().claimAsync(WAITING);
    lone.turn();
    assertThat(lone.cluster.timers).isEqualTo(1);
    lone.turn();
    assertThat(lone.cluster.timers).as("armed once").isEqualTo(1);

    lone.service.onNewLeadershipTermEvent(
        TERM + 1, 0, lone.nowMs, 0, 1, 1, TimeUnit.MILLISECONDS, 0);
    assertThat(lone.cluster.timers).as("for the new leader").isEqualTo(2);
    lone.service.onTimerEvent(DeadlineTimer.CORRELATION_ID, lone.nowMs);
    assertThat(lone.cluster.timers).as("it fired too early").isEqualTo(3);
    assertThat(parked).isNotDone();

    lone.service.onTimerEvent(
        DeadlineTimer.CORRELATION_ID,
        System.currentTimeMillis() + 2 * WAITING.maxWait().toMillis());
    assertThat(parkedCount()).isZero();
    assertThat(parked).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(List.of());
  }

  @Test
  void shouldIgnoreReplayedRequestsAndQuestions() {
    lone.startAlone();
    MemberNotice wish = new MemberNotice(MemberNotice.Kind.WANTS_SNAPSHOT, 1);
    UnsafeBuffer question = new UnsafeBuffer(new byte[LevelMessage.BYTES]);
    new LevelSurvey(
            1,
            3,
            LevelRange.ofThisBuild(),
            asked -> question.putBytes(0, asked, 0, LevelMessage.BYTES))
        .run(Duration.ofSeconds(1));

    lone.cluster.vote(ElectionState.FOLLOWER_CATCHUP);
    hear(wish);
    lone.hear(question, 0, LevelMessage.BYTES);
    assertThat(lone.reports.takeSnapshotRequest()).isFalse();
    assertThat(lone.levelsSaid).isZero();

    lone.cluster.follow(TERM);
    hear(wish);
    lone.hear(question, 0, LevelMessage.BYTES);
    assertThat(lone.reports.takeSnapshotRequest()).isTrue();
    assertThat(lone.levelsSaid).isEqualTo(1);
  }

  @Test
  void shouldHearOnlyThePresentLeaderLeave() {
    lone.startAlone();
    lone.cluster.follow(TERM + 1);
    hear(new MemberNotice(MemberNotice.Kind.LEAVES, 1, TERM));
    lone.cluster.vote(ElectionState.FOLLOWER_CATCHUP);
    hear(new MemberNotice(MemberNotice.Kind.LEAVES, 1, TERM + 1));
    assertThat(lone.leaving).isEmpty();

    lone.cluster.follow(TERM + 1);
    hear(new MemberNotice(MemberNotice.Kind.LEAVES, 2, TERM + 1));
    assertThat(lone.leaving).containsExactly(2);
  }

  private void hear(MemberNotice notice) {
    lone.hear(notice.encode(), 0, MemberNotice.BYTES);
  }

  @Test
  void shouldCheckTheWallClockUntilItHasCaughtUp() {
    lone.close();
    lone = new LoneService(() -> 1_000);
    lone.start(null);
    lone.service.doBackgroundWork(0);
    lone.engine.proposer().proposeGenesis();
    assertThatThrownBy(lone::turn)
        .isInstanceOf(AgentTerminationException.class)
        .hasStackTraceContaining("behind the cluster's log");

    lone.close();
    lone = new LoneService(() -> 1_000);
    lone.start(null);
    lone.cluster.follow(TERM);
    lone.service.doBackgroundWork(0);
    lone.engine.proposer().proposeGenesis();
    lone.turn();
    assertThat(lone.service.appliedSequence()).isEqualTo(1);
  }

  @Test
  void shouldNotWaitForTheMirrorOnceItHasFailed() {
    lone.startAlone();
    lone.service.onTerminate(lone.cluster.cluster());
    assertThat(lone.mirrored).endsWith("end true");
    lone.engine.fail(new IllegalStateException("it"));
    lone.service.onTerminate(lone.cluster.cluster());
    assertThat(lone.mirrored).endsWith("end false");
  }

  @Test
  void shouldAnswerNoReadsBeforeMembersAgreeOnTheSeed() throws Exception {
    startWithSeed();
    lone.cluster.follow(TERM);
    assertThatThrownBy(() -> lone.answer(lone.engine.queue().tasksAsync(TaskQuery.in(QUEUE))))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(EntroQException.Unavailable.class);
    hear(lone.service.unconfirmedSeed().orElseThrow());
    assertThat(lone.answer(lone.engine.queue().tasksAsync(TaskQuery.in(QUEUE)))).isEmpty();
  }

  @Test
  void shouldEndIfOthersStartedDifferently() {
    startWithSeed();
    lone.engine.proposer().proposeGenesis();
    assertThatThrownBy(lone::turn)
        .isInstanceOf(AgentTerminationException.class)
        .hasCauseInstanceOf(SeedMismatchException.class)
        .hasMessageContaining("others have begun without one");

    StateDigest said = lone.service.unconfirmedSeed().orElseThrow();
    lone.close();
    lone = new LoneService((StateMachine) null).start(null);
    assertThatThrownBy(() -> hear(said))
        .isInstanceOf(AgentTerminationException.class)
        .hasCauseInstanceOf(SeedMismatchException.class)
        .hasMessageContaining("this member is empty");
  }

  @Test
  void shouldTakeNoSnapshotBeforeMembersAgreeOnTheSeed() {
    startWithSeed();
    assertThatThrownBy(() -> lone.service.onTakeSnapshot(null))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("not agreed on a seed yet");
  }

  @Test
  void shouldIgnoreLaterSeedReports() {
    lone.startAlone();
    hear(new StateDigest(5, 6, 7));
    assertThat(lone.engine.hasFailed()).isFalse();
  }

  @Test
  void shouldAgreeOnSeed() {
    startWithSeed();
    assertThat(lone.service.unconfirmedSeed()).isPresent();
    assertThat(parkedCount()).isEqualTo(1);
    hear(lone.service.unconfirmedSeed().orElseThrow());
    assertThat(lone.service.unconfirmedSeed()).isEmpty();
    assertThat(parkedCount()).as("claims of callers who are gone").isZero();
    assertThat(lone.engine.hasFailed()).isFalse();
  }

  @Test
  void shouldRefuseAnotherSeedOfTheSameLength() {
    for (long[] other : new long[][] {{0, 1}, {1, 0}}) {
      startWithSeed();
      StateDigest mine = lone.service.unconfirmedSeed().orElseThrow();
      StateDigest said =
          new StateDigest(mine.sequence(), mine.history() + other[0], mine.content() + other[1]);
      assertThatThrownBy(() -> hear(said))
          .isInstanceOf(AgentTerminationException.class)
          .hasCauseInstanceOf(SeedMismatchException.class);
      assertThat(lone.service.unconfirmedSeed()).isPresent();
    }
  }

  private void startWithSeed() {
    lone.close();
    lone = new LoneService(seed());
    lone.start(null);
  }

  /** A state with a queue and a waiting claim. */
  private static StateMachine seed() {
    StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
    ExpandableArrayBuffer command = new ExpandableArrayBuffer();
    int genesis =
        new GenesisEncoder()
            .wrap(command, 0)
            .logIdHigh(1)
            .logIdLow(2)
            .seed(3)
            .level(Levels.MAX)
            .length();
    apply(machine, RecordType.GENESIS, command, genesis);
    int claim =
        new ClaimEncoder()
            .wrap(command, 0)
            .identity(7, 7, 1, 1)
            .queue(new Slice(QUEUE.getBytes(StandardCharsets.UTF_8)))
            .leaseMs(60_000)
            .waits(true)
            .length();
    apply(machine, RecordType.CLAIM, command, claim);
    return machine;
  }

  private static void apply(
      StateMachine machine, int type, ExpandableArrayBuffer command, int length) {
    int crc = new Crc32c().of(command, 0, length);
    long sequence = machine.sequence() + 1;
    machine.apply(type, command, 0, length, crc, 1_000, sequence, ResultSink.DISCARDING);
  }

  private void hear(StateDigest said) {
    UnsafeBuffer message = new UnsafeBuffer(new byte[SeedReport.BYTES]);
    SeedReport.write(message, said);
    lone.hear(message, 0, SeedReport.BYTES);
  }

  private int parkedCount() {
    return lone.machine().parkedCount();
  }

  private int version(Task task) throws Exception {
    return lone.answer(lone.engine.queue().tasksAsync(TaskQuery.withIds(List.of(task.id()))))
        .get(0)
        .version();
  }
}
