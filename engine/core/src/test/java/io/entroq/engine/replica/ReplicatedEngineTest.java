package io.entroq.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.Ids;
import io.entroq.engine.embedded.Await;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.GatewayCalls;
import io.entroq.engine.feed.FeedHub;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.gateway.WaitingClaim;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replicas over an order that a test makes: it loses and repeats, but does not turn round. */
class ReplicatedEngineTest {
  private static final int REPLICAS = 3;
  private static final String QUEUE = "inbox";
  private static final Claim WAITING = Claim.from(QUEUE).withMaxWait(Duration.ofMinutes(10));

  private final List<Replica> replicas = new ArrayList<>();
  private long nowMs = 1_000_000;

  @BeforeEach
  void open() {
    for (int i = 0; i < REPLICAS; i++) {
      replicas.add(new Replica());
    }
    replicas.forEach(replica -> replica.engine.proposer().proposeGenesis());
    order(0);
  }

  @AfterEach
  void close() {
    for (Replica replica : replicas) {
      replica.engine.close();
      replica.engine.end();
    }
  }

  @Test
  void shouldTellTheSameIdOfTheLogOnEveryReplicaOnceItHasBegun() {
    UUID id = replicas.get(0).queue().gateway().logId();
    assertThat(id).isNotNull();
    assertThat(replicas).extracting(replica -> replica.queue().gateway().logId()).containsOnly(id);
    assertThat(new Replica().queue().gateway().logId()).as("before its first record").isNull();
  }

  @Test
  void shouldBeginOnce() {
    replicas.forEach(replica -> assertThat(replica.machine().sequence()).isEqualTo(1));
    assertAgreement();
  }

  @Test
  void shouldAnswerWhereItWasAsked() {
    CompletableFuture<List<Task>> claim = replicas.get(0).queue().claimAsync(WAITING);
    order(0);
    assertThat(claim).isNotDone();
    CompletableFuture<ModifyResult> insert =
        replicas.get(1).queue().modifyAsync(Modification.insert(QUEUE, "hello"));
    order(1);
    assertThat(insert.join().orThrow().inserted()).hasSize(1);
    assertThat(claim.join()).hasSize(1);
    assertAgreement();
  }

  @Test
  void shouldDoOnceWhatIsLostAndRepeated() {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("ReplicatedEngineTest seed " + seed);
    Random random = new Random(seed);
    List<CompletableFuture<ModifyResult>> inserts = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Replica replica = replicas.get(random.nextInt(REPLICAS));
      TaskId id = TaskId.of(Ids.ofV1(new UUID(random.nextLong(), random.nextLong()).toString()));
      inserts.add(replica.queue().modifyAsync(Modification.insert(Insert.into(QUEUE).withId(id))));
      replica.propose();
      switch (random.nextInt(6)) {
        case 0 -> replica.loseSome(random);
        case 1 -> replica.engine.proposer().resend();
        case 2 -> order(0);
        default -> {
          // The next one goes together with this one.
        }
      }
    }
    replicas.forEach(replica -> replica.engine.proposer().resend());
    order(0);

    // Done twice, an insert with an id would collide with itself.
    inserts.forEach(insert -> assertThat(insert.join().orThrow().inserted()).hasSize(1));
    assertThat(replicas.get(0).machine().taskCount()).isEqualTo(300);
    assertAgreement();
  }

  @Test
  void shouldMakeClaimsAnewThatWereEndedThoughTheirCallersAreThere() {
    Replica replica = replicas.get(0);
    CompletableFuture<List<Task>> claim = replica.queue().claimAsync(WAITING);
    order(0);
    long incarnation = replica.engine.incarnation();
    replicas.forEach(each -> each.engine.applier().callersGone(incarnation, nowMs));
    assertAgreement();
    awaitParkedAnew();
    CompletableFuture<ModifyResult> insert =
        replicas.get(1).queue().modifyAsync(Modification.insert(QUEUE, "hello"));
    order(1);
    insert.join().orThrow();
    assertThat(claim.join()).hasSize(1);
    assertAgreement();
  }

  private void awaitParkedAnew() {
    Await.until(
        "the claim waits again",
        () -> {
          order(0);
          return replicas.get(0).machine().parkedCount() == 1;
        });
  }

  @Test
  void shouldEndClaimsOfThoseWhoAreGone() {
    CompletableFuture<List<Task>> claim = replicas.get(0).queue().claimAsync(WAITING);
    order(0);
    long incarnation = replicas.get(0).engine.incarnation();
    Replica other = replicas.get(1);
    other.engine.applier().callersGone(incarnation, nowMs);
    assertThat(other.machine().parkedCount()).isZero();
    assertThat(claim).isNotDone();
  }

  @Test
  void shouldNotTakeBackWhatACallerWasGivenElsewhere() {
    Replica left = replicas.get(0);
    Replica other = replicas.get(1);
    WaitingClaim first = waitingClaim(left, new GatewayCalls.Heard());
    order(0);

    // Cut off: from now on it hears nothing, and its caller goes to another one.
    List<byte[]> missed = new ArrayList<>();
    GatewayCalls.Heard heard = new GatewayCalls.Heard();
    WaitingClaim second = waitingClaim(other, heard);
    first.cancel();
    left.propose();
    left.engine.applier().doWork(Contact.CUT_OFF);
    left.engine.applier().doWork(Contact.CUT_OFF);
    left.propose();
    assertThat(left.offered).as("what it does while it hears nothing").isEmpty();
    CompletableFuture<ModifyResult> insert =
        other.queue().modifyAsync(Modification.insert(QUEUE, "hello"));
    other.propose();
    applyWithout(left, other, missed);
    insert.join().orThrow();
    assertThat(heard.await().claimed).isEqualTo(1);
    second.settle();

    rejoin(left, missed);
    left.engine.applier().doWork(Contact.LEADER);
    order(0);
    assertThat(claims(other)).isEqualTo(1);
    assertAgreement();
  }

  @Test
  void shouldNotTakeBackWhatACallerWasGivenElsewhereBeforeItWasKnownThatThisIsCutOff() {
    Replica left = replicas.get(0);
    Replica other = replicas.get(1);
    WaitingClaim first = waitingClaim(left, new GatewayCalls.Heard());
    order(0);

    List<byte[]> missed = new ArrayList<>();
    GatewayCalls.Heard heard = new GatewayCalls.Heard();
    WaitingClaim second = waitingClaim(other, heard);
    first.cancel();
    left.propose();
    left.engine.applier().doWork(Contact.LEADER);
    left.propose();
    assertThat(left.offered).as("the cancel, which is lost").hasSize(1);
    left.offered.clear();
    CompletableFuture<ModifyResult> insert =
        other.queue().modifyAsync(Modification.insert(QUEUE, "hello"));
    other.propose();
    applyWithout(left, other, missed);
    insert.join().orThrow();
    assertThat(heard.await().claimed).isEqualTo(1);
    second.settle();

    left.engine.proposer().resend();
    rejoin(left, missed);
    left.engine.applier().doWork(Contact.LEADER);
    order(0);
    assertThat(claims(other)).isEqualTo(1);
    assertAgreement();
  }

  @Test
  void shouldEndAClaimThatWasLeftWithoutContact() {
    Replica left = replicas.get(0);
    WaitingClaim claim = waitingClaim(left, new GatewayCalls.Heard());
    order(0);
    claim.cancel();
    left.propose();
    left.engine.applier().doWork(Contact.LEADER);
    left.propose();
    left.offered.clear();
    left.engine.proposer().resend();
    left.engine.applier().doWork(Contact.CUT_OFF);
    order(0);
    assertThat(left.machine().parkedCount()).isEqualTo(1);
    left.engine.applier().doWork(Contact.LEADER);
    order(0);
    assertThat(left.machine().parkedCount()).isZero();
    assertAgreement();
  }

  @Test
  void shouldEndAClaimThatWasLeftWhileItWasRepeated() {
    Replica replica = replicas.get(0);
    GatewayCalls.Heard heard = new GatewayCalls.Heard();
    WaitingClaim first = waitingClaim(replica, heard);
    order(0);
    WaitingClaim repeated = waitingClaim(replica, new GatewayCalls.Heard());
    replica.propose();
    assertThat(replica.offered).as("the repeat").hasSize(1);
    first.withdraw();
    replica.propose();
    replica.engine.applier().doWork(Contact.LEADER);
    assertThat(heard.isHeard()).as("the repeat may become what it waits for").isFalse();
    order(0);
    assertThat(heard.await().code).isEqualTo(ResultCodes.CANCELLED);
    assertThat(replica.machine().parkedCount()).isEqualTo(1);

    repeated.cancel();
    replica.propose();
    replica.engine.applier().doWork(Contact.LEADER);
    order(0);
    assertThat(replica.machine().parkedCount()).isZero();
    assertAgreement();
  }

  private static WaitingClaim waitingClaim(Replica replica, GatewayCalls.Heard heard) {
    return replica
        .queue()
        .gateway()
        .waitingClaim(new Identity(7, 7, 1, 1), 0, GatewayCalls.waitingClaim(QUEUE), heard);
  }

  /** Applies what one has proposed where it is heard. */
  private void applyWithout(Replica cutOff, Replica from, List<byte[]> missed) {
    for (byte[] message : from.offered) {
      nowMs++;
      for (Replica to : replicas) {
        if (to != cutOff) {
          to.engine.applier().apply(new UnsafeBuffer(message), 0, message.length, nowMs);
        }
      }
      missed.add(message);
    }
    from.offered.clear();
  }

  private void rejoin(Replica late, List<byte[]> missed) {
    long timeMs = nowMs - missed.size();
    for (byte[] message : missed) {
      timeMs++;
      late.engine.applier().apply(new UnsafeBuffer(message), 0, message.length, timeMs);
    }
  }

  private static int claims(Replica replica) {
    CompletableFuture<List<Task>> tasks = replica.queue().tasksAsync(TaskQuery.in(QUEUE));
    Await.until(
        "the task is listed",
        () -> {
          replica.propose();
          replica.engine.applier().doWork(Contact.LEADER);
          return tasks.isDone();
        });
    return tasks.join().get(0).claims();
  }

  @Test
  void shouldLetNoReadThroughWithoutContact() {
    Replica replica = replicas.get(0);
    CompletableFuture<?> read = replica.queue().queuesAsync(QueueQuery.all());
    replica.propose();
    replica.engine.applier().doWork(Contact.CUT_OFF);
    assertThat(read)
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(EntroQException.Unavailable.class);
  }

  @Test
  void shouldPassOverWhatIsNoProposal() {
    UnsafeBuffer garbage = new UnsafeBuffer(new byte[100]);
    garbage.putLong(0, 0x1234_5678_9abc_def0L);
    replicas.forEach(replica -> replica.engine.applier().apply(garbage, 0, 100, nowMs + 5));
    replicas.forEach(replica -> replica.engine.applier().apply(garbage, 0, 3, nowMs + 5));
    replicas.forEach(replica -> assertThat(replica.machine().sequence()).isEqualTo(1));
    assertAgreement();
  }

  @Test
  void shouldSendTogetherWhatWaitsTogether() {
    Replica replica = replicas.get(1);
    List<CompletableFuture<ModifyResult>> inserts = insert(replica, 100);
    CompletableFuture<ModifyResult> large =
        replica
            .queue()
            .modifyAsync(Modification.insert(QUEUE, "x".repeat(2 * ProposalBatch.BYTES_MAX)));
    inserts.addAll(insert(replica, 10));
    replica.propose();
    assertThat(replica.offered.size()).isLessThan(6);
    assertThat(replica.offered)
        .filteredOn(message -> message.length > ProposalBatch.BYTES_MAX)
        .hasSize(1);
    order(0);
    inserts.forEach(insert -> assertThat(insert.join().isCommitted()).isTrue());
    assertThat(large.join().isCommitted()).isTrue();
    assertAgreement();
  }

  @Test
  void shouldGatherWhileEightMessagesAreUncommitted() {
    Replica replica = replicas.get(1);
    final List<CompletableFuture<ModifyResult>> inserts = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      inserts.addAll(insert(replica, 1));
      replica.propose();
    }
    assertThat(replica.offered).hasSize(8);
    assertThat(replica.engine.proposer().isGathering()).isTrue();
    order(0);
    replica.propose();
    assertThat(replica.offered).hasSize(1);
    order(0);
    inserts.forEach(insert -> assertThat(insert.join().isCommitted()).isTrue());
    assertAgreement();
  }

  @Test
  void shouldNotGatherWhatFillsAMessage() {
    Replica replica = replicas.get(1);
    for (int i = 0; i < 8; i++) {
      insert(replica, 1);
      replica.propose();
    }
    String large = "x".repeat(ProposalBatch.BYTES_MAX);
    CompletableFuture<ModifyResult> last =
        replica.queue().modifyAsync(Modification.insert(QUEUE, large));
    replica.propose();
    assertThat(replica.offered).hasSize(9);
    order(0);
    assertThat(last.join().isCommitted()).isTrue();
  }

  @Test
  void shouldNotGatherForMessagesThatWereLost() {
    Replica replica = replicas.get(1);
    List<CompletableFuture<ModifyResult>> inserts = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      inserts.addAll(insert(replica, 1));
      replica.propose();
    }
    replica.offered.clear();
    replica.engine.proposer().resend();
    inserts.addAll(insert(replica, 1));
    replica.propose();
    assertThat(replica.offered).hasSize(1);
    order(0);
    inserts.forEach(insert -> assertThat(insert.join().isCommitted()).isTrue());
    assertAgreement();
  }

  @Test
  void shouldPassOverWhatIsCutOffAndDoItWhenItComesAgain() {
    Replica replica = replicas.get(1);
    List<CompletableFuture<ModifyResult>> inserts = insert(replica, 3);
    replica.propose();
    byte[] message = replica.offered.remove(0);
    assertThat(replica.offered).isEmpty();
    UnsafeBuffer buffer = new UnsafeBuffer(message);
    replicas.forEach(to -> to.engine.applier().apply(buffer, 0, message.length - 1, nowMs + 1));
    assertThat(inserts.get(1).join().isCommitted()).isTrue();
    assertThat(replica.machine().taskCount()).isEqualTo(2);
    assertAgreement();
    replica.engine.proposer().resend();
    order(0);
    assertThat(inserts.get(2).join().isCommitted()).isTrue();
    assertThat(replica.machine().taskCount()).isEqualTo(3);
    assertAgreement();
  }

  @Test
  void shouldPassOverProposalThatIsLongerThanItsMessage() {
    for (int bytes : new int[] {-1, Integer.MIN_VALUE, 73, Integer.MAX_VALUE}) {
      UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
      ProposalFrame.write(message, RecordType.MODIFY, 0, 1, 1);
      ProposalFrame.commandBytes(message, bytes);
      replicas.forEach(replica -> replica.engine.applier().apply(message, 0, 100, nowMs + 5));
    }
    replicas.forEach(replica -> assertThat(replica.machine().sequence()).isEqualTo(1));
    assertAgreement();
  }

  @Test
  void shouldDoWhatComesOutBeforeTheBeginningWhenItComesAgain() {
    Replica early = new Replica();
    early.engine.proposer().proposeGenesis();
    early.propose();
    early.offered.clear();
    CompletableFuture<ModifyResult> insert =
        early.queue().modifyAsync(Modification.insert(QUEUE, "early"));
    early.propose();
    early.applyOwn(nowMs);
    assertThat(early.machine().sequence()).isZero();
    assertThat(insert).isNotDone();

    early.engine.proposer().resend();
    early.propose();
    early.applyOwn(nowMs);
    assertThat(insert)
        .succeedsWithin(Duration.ofSeconds(30))
        .matches(ModifyResult::isCommitted, "is committed");
    early.engine.close();
    early.engine.end();
  }

  @Test
  void shouldOfferOnceMoreWhatHasNotComeOutForLong() {
    AtomicLong nowNs = new AtomicLong();
    Duration patience = Duration.ofSeconds(80);
    ReplicatedEngine engine =
        ReplicatedEngine.driven(
            EmbeddedConfig.inMemory().build(),
            () -> nowMs,
            patience,
            new ReplicaEnvironment(new Random(1), nowNs::get),
            FeedHub.RING_BYTES);
    engine.applier().begin(new StateMachine(StateMachineConfig.DEFAULT));
    engine.proposer().proposeGenesis();
    assertThat(offers(engine)).hasSize(1);
    nowNs.addAndGet(patience.toNanos());
    assertThat(offers(engine)).as("it may come out yet").isEmpty();
    nowNs.incrementAndGet();
    List<byte[]> again = offers(engine);
    assertThat(again).hasSize(1);

    engine.applier().apply(new UnsafeBuffer(again.get(0)), 0, again.get(0).length, nowMs);
    engine.proposer().resend();
    nowNs.addAndGet(2 * patience.toNanos());
    assertThat(offers(engine)).as("it has come out").isEmpty();
    engine.close();
    engine.end();
  }

  private static List<byte[]> offers(ReplicatedEngine engine) {
    List<byte[]> offers = new ArrayList<>();
    engine
        .proposer()
        .doWork(
            (buffer, offset, length) -> {
              byte[] message = new byte[length];
              buffer.getBytes(offset, message);
              return offers.add(message);
            });
    return offers;
  }

  @Test
  void shouldOfferWhatWasLostInTheOrderInWhichItWasAsked() {
    Replica replica = replicas.get(0);
    TaskId id = TaskId.of(Ids.ofV1(new UUID(1, 2).toString()));
    CompletableFuture<ModifyResult> insert =
        replica.queue().modifyAsync(Modification.insert(Insert.into(QUEUE).withId(id)));
    replica.propose();
    CompletableFuture<ModifyResult> delete =
        replica.queue().modifyAsync(Modification.delete(new TaskRef(id, 0, QUEUE)));
    replica.propose();
    replica.offered.clear();
    replica.engine.proposer().resend();
    order(0);
    assertThat(insert.join().isCommitted()).isTrue();
    assertThat(delete.join().isCommitted()).isTrue();
    assertAgreement();
  }

  private static List<CompletableFuture<ModifyResult>> insert(Replica replica, int count) {
    List<CompletableFuture<ModifyResult>> inserts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      inserts.add(replica.queue().modifyAsync(Modification.insert(QUEUE, "task " + i)));
    }
    return inserts;
  }

  @Test
  void shouldRefuseInsertsWhenMemoryIsUsedUp() {
    Replica small = new Replica(EmbeddedConfig.inMemory().memoryBytesMax(1 << 20).build());
    small.engine.proposer().proposeGenesis();
    small.propose();
    nowMs++;
    small.applyOwn(nowMs);
    List<CompletableFuture<ModifyResult>> inserts = new ArrayList<>();
    byte[] value = new byte[100_000];
    for (int i = 0; i < 40; i++) {
      inserts.add(
          small
              .queue()
              .modifyAsync(Modification.insert(Insert.into(QUEUE).withValue(Value.bytes(value)))));
      small.propose();
      small.applyOwn(nowMs);
    }
    assertThat(small.machine().taskCount()).isLessThan(40);
    assertThat(inserts.get(39))
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(EntroQException.ResourceExhausted.class);
    CompletableFuture<List<Task>> claim = small.queue().tryClaimAsync(Claim.from(QUEUE));
    small.propose();
    small.applyOwn(nowMs);
    assertThat(claim.join()).hasSize(1);
    small.engine.close();
    small.engine.end();
  }

  @Test
  void shouldEndWhatWasNotProposed() {
    CompletableFuture<ModifyResult> insert =
        replicas.get(0).queue().modifyAsync(Modification.insert(QUEUE, "hello"));
    close();
    replicas.clear();
    assertThat(insert)
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(EntroQException.Closed.class);
  }

  /** Lets all propose, and applies everywhere what they have proposed. */
  private void order(int first) {
    for (int i = 0; i < REPLICAS; i++) {
      Replica from = replicas.get((first + i) % REPLICAS);
      from.propose();
      for (byte[] message : from.offered) {
        nowMs++;
        UnsafeBuffer buffer = new UnsafeBuffer(message);
        for (Replica to : replicas) {
          to.engine.applier().apply(buffer, 0, message.length, nowMs);
        }
      }
      from.offered.clear();
    }
  }

  private void assertAgreement() {
    assertThat(replicas.stream().map(replica -> replica.machine().historyDigest()).distinct())
        .hasSize(1);
    assertThat(replicas.stream().map(replica -> replica.machine().contentDigest()).distinct())
        .hasSize(1);
  }

  /** One of them, driven by the test's thread. */
  private static final class Replica {
    final ReplicatedEngine engine;
    final List<byte[]> offered = new ArrayList<>();

    Replica() {
      this(EmbeddedConfig.inMemory().build());
    }

    Replica(EmbeddedConfig config) {
      engine = new ReplicatedEngine(config, System::currentTimeMillis, Duration.ofMinutes(10));
      engine.applier().begin(new StateMachine(StateMachineConfig.DEFAULT));
    }

    ReplicatedEntroQ queue() {
      return engine.queue();
    }

    StateMachine machine() {
      return engine.applier().machine();
    }

    void propose() {
      engine.proposer().doWork(this::offer);
    }

    private boolean offer(DirectBuffer buffer, int offset, int length) {
      byte[] message = new byte[length];
      buffer.getBytes(offset, message);
      return offered.add(message);
    }

    /** As if it had no others. */
    void applyOwn(long timeMs) {
      for (byte[] message : offered) {
        engine.applier().apply(new UnsafeBuffer(message), 0, message.length, timeMs);
      }
      offered.clear();
      engine.applier().doWork(Contact.LEADER);
    }

    /** The leader dies with the newest of what it was told, and the next one is told again. */
    void loseSome(Random random) {
      int kept = random.nextInt(offered.size() + 1);
      offered.subList(kept, offered.size()).clear();
      engine.proposer().resend();
    }
  }
}
