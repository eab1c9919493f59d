package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.cluster.ElectionState;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.logbuffer.Header;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.cluster.level.LevelRange;
import io.entroq.cluster.level.RollCall;
import io.entroq.cluster.mirror.Mirror;
import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.ReplicatedEngine;
import io.entroq.engine.embedded.SeedMismatchException;
import io.entroq.engine.state.DiscardingSink;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
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
import org.junit.jupiter.api.Timeout;

/** A member's service alone, without processes and network: its log is what this test says. */
@Timeout(60)
class QueueServiceTest {
  private static final String QUEUE = "inbox";
  private static final long TERM = 3;
  private static final Claim WAITING = Claim.from(QUEUE).withMaxWait(Duration.ofMinutes(10));

  private final ReplicatedEngine engine =
      new ReplicatedEngine(
          EmbeddedConfig.inMemory().build(), System::currentTimeMillis, Duration.ofMinutes(10));
  private final FakeCluster cluster = new FakeCluster();
  private long nowMs = System.currentTimeMillis();
  private QueueService service;

  @AfterEach
  void close() {
    engine.close();
    engine.end();
  }

  @Test
  void shouldShowNothingWithoutLeader() throws Exception {
    start(null);
    turn();
    assertThat(answer(engine.queue().tasksAsync(TaskQuery.in(QUEUE)))).isEmpty();

    cluster.vote(ElectionState.CANVASS);
    assertThatThrownBy(() -> answer(engine.queue().tasksAsync(TaskQuery.in(QUEUE))))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(EntroQException.Unavailable.class)
        .hasMessageContaining("no contact with a leader");

    cluster.follow(TERM + 1);
    assertThat(answer(engine.queue().tasksAsync(TaskQuery.in(QUEUE)))).isEmpty();
  }

  @Test
  void shouldLetCallersBeWhileTheyHaveAnotherSession() throws Exception {
    start(null);
    ClientSession first = cluster.open(engine.incarnation());
    ClientSession second = cluster.open(engine.incarnation());
    CompletableFuture<List<Task>> parked = engine.queue().claimAsync(WAITING.withLimit(1));
    turn();
    assertThat(parkedCount()).isEqualTo(1);
    long before = service.appliedSequence();

    close(first);
    assertThat(parkedCount()).as("claims that wait").isEqualTo(1);
    assertThat(service.appliedSequence()).as("nothing was done").isEqualTo(before);

    close(second);
    assertThat(parkedCount()).as("claims that wait").isZero();
    assertThat(service.appliedSequence()).isGreaterThan(before);
    assertThat(parked).isNotDone();
  }

  @Test
  void shouldGiveBackWhatWasAssignedWithTheLastSessionOnly() throws Exception {
    start(null);
    ClientSession first = cluster.open(engine.incarnation());
    ClientSession second = cluster.open(engine.incarnation());
    ClientSession others = cluster.open(engine.incarnation() + 2);
    cluster.open(engine.incarnation() + 4);
    answer(engine.queue().modifyAsync(Modification.insert(QUEUE, "hello")));
    Task task = answer(engine.queue().claimAsync(WAITING)).get(0);

    close(others);
    close(first);
    assertThat(version(task)).isEqualTo(task.version());

    close(second);
    assertThat(version(task)).isGreaterThan(task.version());
  }

  @Test
  void shouldAgreeOnSeed() {
    start(seed());
    assertThat(service.openSeed()).isPresent();
    hear(service.openSeed().orElseThrow());
    assertThat(service.openSeed()).isEmpty();
    assertThat(engine.hasFailed()).isFalse();
  }

  @Test
  void shouldNotTakeSeedForItsOwnThatIsAsLong() {
    for (long[] other : new long[][] {{0, 1}, {1, 0}}) {
      start(seed());
      StateDigest mine = service.openSeed().orElseThrow();
      StateDigest said =
          new StateDigest(mine.sequence(), mine.history() + other[0], mine.content() + other[1]);
      assertThatThrownBy(() -> hear(said))
          .isInstanceOf(AgentTerminationException.class)
          .hasCauseInstanceOf(SeedMismatchException.class);
      assertThat(service.openSeed()).isPresent();
    }
  }

  private void start(StateMachine seed) {
    service =
        new QueueService(
            engine,
            new Hooks(),
            new SnapshotReports(0, 1, found -> {}),
            new RollCall(0, 1, LevelRange.ofThisBuild(), message -> {}),
            Mirror.none(),
            new StartClock(System::currentTimeMillis, true),
            null,
            new Contact(() -> TERM, Duration.ofMinutes(10), cluster::counters, System::nanoTime),
            seed);
    service.onStart(cluster.cluster(), null);
    cluster.follow(TERM);
    if (seed == null) {
      engine.proposer().proposeGenesis();
      turn();
    }
  }

  private static StateMachine seed() {
    ExpandableArrayBuffer genesis = new ExpandableArrayBuffer();
    int length =
        new GenesisEncoder().wrap(genesis, 0).logId(1, 2).seed(3).level(Levels.MAX).length();
    StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
    int crc = new Crc32c().of(genesis, 0, length);
    machine.apply(RecordType.GENESIS, genesis, 0, length, crc, 1_000, 1, DiscardingSink.INSTANCE);
    return machine;
  }

  /** All that was proposed comes out, and reads are answered. */
  private void turn() {
    engine
        .proposer()
        .doWork(
            (buffer, offset, length) -> {
              nowMs++;
              service.onSessionMessage(null, nowMs, buffer, offset, length, header());
              return true;
            });
    service.doBackgroundWork(System.nanoTime());
  }

  private <T> T answer(CompletableFuture<T> asked) throws Exception {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!asked.isDone() && System.nanoTime() - endNs < 0) {
      turn();
      Thread.onSpinWait();
    }
    return asked.get(0, TimeUnit.SECONDS);
  }

  private void close(ClientSession session) {
    cluster.close(session);
    nowMs++;
    service.onSessionClose(session, nowMs, CloseReason.TIMEOUT);
  }

  private void hear(StateDigest said) {
    UnsafeBuffer message = new UnsafeBuffer(new byte[SeedReport.BYTES]);
    SeedReport.write(message, said);
    service.onSessionMessage(null, nowMs, message, 0, SeedReport.BYTES, header());
  }

  private int parkedCount() {
    return engine.applier().machine().parkedCount();
  }

  private int version(Task task) throws Exception {
    return answer(engine.queue().tasksAsync(TaskQuery.withIds(List.of(task.id()))))
        .get(0)
        .version();
  }

  private static Header header() {
    Header header = new Header(0, 16);
    header.buffer(new UnsafeBuffer(new byte[64]));
    return header;
  }

  private static final class Hooks implements MemberHooks {
    @Override
    public void onClusterId(long high, long low) {}

    @Override
    public void onFailure(Throwable cause) {}
  }
}
