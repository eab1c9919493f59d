package io.entroq.engine.replica;

import static io.entroq.engine.embedded.GatewayCalls.claim;
import static io.entroq.engine.embedded.GatewayCalls.waitingClaim;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.GatewayCalls.Heard;
import io.entroq.engine.feed.FeedHub;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.gateway.RevocableClaim;
import io.entroq.engine.gateway.WaitingClaim;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.VolatileLog;
import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.StateLoader;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Claims of callers with an identity of their own, and what becomes of them when the replica that
 * they have asked is gone, or taken to be.
 */
class ReplicatedGiveBackTest {
  private static final String QUEUE = "q";
  private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(2);

  private final List<Replica> replicas = new ArrayList<>();
  private final Random random = new Random(1);
  private long nowMs = 1_000_000;
  private long nowNs;
  private Replica first;
  private Replica second;

  @BeforeEach
  void open() {
    first = new Replica(new StateMachine(StateMachineConfig.DEFAULT), new ClientHosts());
    second = new Replica(new StateMachine(StateMachineConfig.DEFAULT), new ClientHosts());
    first.engine.proposer().proposeGenesis();
    run();
  }

  @AfterEach
  void close() {
    assertThat(replicas.stream().map(each -> each.machine().historyDigest()).distinct()).hasSize(1);
    assertThat(replicas.stream().map(each -> each.machine().contentDigest()).distinct()).hasSize(1);
    for (Replica replica : replicas) {
      replica.engine.close();
      replica.engine.end();
    }
  }

  @Test
  void shouldKeepTheTaskOfAQuietCallerWhoWasTold() {
    insert();
    told(first, 1).settle();
    quiet();
    gone(first);

    Task task = tasks().get(0);
    assertThat(task.claims()).isEqualTo(1);
    assertThat(available()).isZero();
    CompletableFuture<ModifyResult> commit =
        second.queue().modifyAsync(Modification.delete(task.ref()));
    run();
    commit.join().orThrow();
  }

  @Test
  void shouldGiveBackAtOnceWhatHasNotLeft() {
    insert();
    told(first, 1);
    quiet();
    assertThat(available()).isZero();
    gone(first);
    assertThat(available()).isEqualTo(1);
    assertThat(tasks().get(0).claims()).isZero();
  }

  @Test
  void shouldGiveBackWhatACallerWasToldWhoIsHeldElsewhereByNow() {
    insert();
    told(first, 1);
    Heard again = new Heard();
    second.gateway().claim(caller(1), 0, claim(QUEUE), again);
    run();
    assertThat(again.await().version).as("the first answer").isEqualTo(1);
    gone(first);
    assertThat(available()).isZero();
    gone(second);
    assertThat(available()).isEqualTo(1);
  }

  @Test
  void shouldSayAtOnceWhatHasLeftWhenItCloses() {
    insert();
    told(first, 1).settle();
    first.engine.close();
    assertThat(first.engine.proposer().isSettled()).isFalse();
    run();
    assertThat(first.engine.proposer().isSettled()).isTrue();
    gone(first);
    assertThat(available()).isZero();
  }

  @Test
  void shouldKeepWhatACallerWithoutIdentityWasToldWhenItCloses() {
    insert();
    Heard heard = new Heard();
    RevocableClaim claim = first.gateway().claim(0, claim(QUEUE), heard);
    run();
    assertThat(heard.await().claimed).isEqualTo(1);
    claim.settle();
    first.engine.close();
    for (int i = 0; i < 3 && !first.engine.proposer().isSettled(); i++) {
      run();
    }
    assertThat(first.engine.proposer().isSettled()).isTrue();
    gone(first);
    assertThat(available()).isZero();
    assertThat(tasks().get(0).claims()).isEqualTo(1);
  }

  @Test
  void shouldNotWaitForClaimsThatWaitWhenItCloses() {
    first.gateway().waitingClaim(0, waitingClaim(QUEUE), new Heard());
    run();
    first.engine.close();
    first.engine.applier().doWork(Contact.LEADER);
    assertThat(first.engine.proposer().isSettled()).isTrue();
    gone(first);
    assertThat(second.machine().parkedCount()).isZero();
  }

  @Test
  void shouldSayNothingThatTheNextRequestHasSaid() {
    insert();
    quiet();
    told(first, 1).settle();
    Heard next = new Heard();
    first.gateway().claim(new Identity(7, 1, 2, 2), 0, claim("none"), next);
    run();
    long sequence = first.machine().sequence();
    quiet();
    assertThat(first.machine().sequence()).isEqualTo(sequence);
  }

  @Test
  void shouldEndTheWaitOfACallerWhoIsGone() {
    first.gateway().waitingClaim(caller(1), 0, waitingClaim(QUEUE), new Heard());
    run();
    assertThat(second.machine().parkedCount()).isEqualTo(1);
    replicas.remove(first);
    second.engine.applier().callersGone(first.engine.incarnation(), nowMs);
    assertThat(second.machine().parkedCount()).isZero();
  }

  @Test
  void shouldLetACallerWaitOnWhoIsThereThoughHisReplicaWasTakenToBeGone() {
    Heard heard = new Heard();
    Heard attached = new Heard();
    first.gateway().waitingClaim(caller(1), 0, waitingClaim(QUEUE), heard);
    first.gateway().waitingClaim(caller(1), 0, waitingClaim(QUEUE), attached);
    run();
    gone(first);
    run();
    assertThat(heard.isHeard()).isFalse();
    assertThat(second.machine().parkedCount()).isEqualTo(1);
    insert();
    assertThat(heard.await().claimed).isEqualTo(1);
    assertThat(attached.await().version).isEqualTo(heard.version);
  }

  @Test
  void shouldTellACallerWhoLeavesJustThen() {
    Heard heard = new Heard();
    WaitingClaim claim = first.gateway().waitingClaim(caller(1), 0, waitingClaim(QUEUE), heard);
    run();
    claim.withdraw();
    first.engine.proposer().doWork((buffer, offset, length) -> false);
    first.engine.applier().doWork(Contact.LEADER);
    gone(first);
    run();
    assertThat(heard.await().code).isEqualTo(ResultCodes.CANCELLED);
    assertThat(second.machine().parkedCount()).isZero();
  }

  @Test
  void shouldNotUseTheSlotOfAWithdrawnClaimAgainThatIsStillQueued() {
    Heard heard = new Heard();
    WaitingClaim claim = first.gateway().waitingClaim(caller(1), 0, waitingClaim(QUEUE), heard);
    run();
    CompletableFuture<ModifyResult> insert =
        second.queue().modifyAsync(Modification.insert(QUEUE, "v"));
    replicas.forEach(Replica::work);
    replicas.forEach(Replica::work);
    claim.withdraw();
    first.engine.reply();
    assertThat(heard.isHeard()).isTrue();
    claim.settle();

    Heard next = new Heard();
    first.gateway().waitingClaim(caller(2), 0, waitingClaim(QUEUE), next);
    run();
    insert.join().orThrow();
    assertThat(heard.claimed).isEqualTo(1);
    assertThat(next.isHeard()).isFalse();
    insert();
    assertThat(next.await().claimed).isEqualTo(1);
  }

  @Test
  void shouldLeaveAClaimToWhoeverIsOnHisWayToAskForTheSame() {
    Heard heard = new Heard();
    WaitingClaim claim = first.gateway().waitingClaim(caller(1), 0, waitingClaim(QUEUE), heard);
    run();
    Heard again = new Heard();
    first.gateway().waitingClaim(caller(1), 0, waitingClaim(QUEUE), again);
    claim.withdraw();
    first.engine.proposer().doWork((buffer, offset, length) -> false);
    first.engine.applier().doWork(Contact.LEADER);
    run();
    assertThat(heard.await().code).isEqualTo(ResultCodes.CANCELLED);
    assertThat(again.isHeard()).isFalse();
    insert();
    assertThat(again.await().claimed).isEqualTo(1);
  }

  @Test
  void shouldKnowFromASnapshotWhoWasHeldByWhom() {
    insert();
    insert();
    told(first, 1);
    told(second, 2);
    Replica third = new Replica(copy(first.machine()), copy(first));
    gone(first);
    assertThat(third.machine().historyDigest()).isEqualTo(first.machine().historyDigest());
    assertThat(available()).isEqualTo(1);
  }

  private static StateMachine copy(StateMachine machine) {
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    FrozenState frozen = machine.freeze();
    frozen.writeTo(loader);
    machine.thaw();
    return loader.finish();
  }

  private static ClientHosts copy(Replica replica) {
    ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    int length = replica.engine.applier().holders().write(buffer, replica.machine());
    return ClientHosts.read(buffer, 0, length);
  }

  /** A claim of one task that has its answer. */
  private RevocableClaim told(Replica replica, long low) {
    Heard heard = new Heard();
    RevocableClaim claim = replica.gateway().claim(caller(low), 0, claim(QUEUE), heard);
    run();
    assertThat(heard.await().claimed).isEqualTo(1);
    return claim;
  }

  /** The first request of a client. */
  private static Identity caller(long low) {
    return new Identity(7, low, 1, 1);
  }

  private void insert() {
    CompletableFuture<ModifyResult> insert =
        second.queue().modifyAsync(Modification.insert(QUEUE, "v"));
    run();
    insert.join().orThrow();
  }

  private long available() {
    CompletableFuture<Long> stats =
        second
            .queue()
            .queueStatsAsync(QueueQuery.named(QUEUE))
            .thenApply(queues -> queues.get(QUEUE).available());
    run();
    return stats.join();
  }

  private List<Task> tasks() {
    CompletableFuture<List<Task>> tasks = second.queue().tasksAsync(TaskQuery.in(QUEUE));
    run();
    return tasks.join();
  }

  /** The session of a replica is closed. */
  private void gone(Replica replica) {
    replicas.forEach(
        each -> each.engine.applier().callersGone(replica.engine.incarnation(), nowMs));
  }

  /** Time goes by, in which nobody asks for anything. */
  private void quiet() {
    for (int i = 0; i < 3; i++) {
      nowNs += QUIET_NS;
      run();
    }
  }

  /** All do what there is to do. */
  private void run() {
    for (int i = 0; i < 20; i++) {
      nowNs += TimeUnit.MILLISECONDS.toNanos(1);
      replicas.forEach(Replica::turn);
    }
  }

  /** One of them, driven by the test. */
  private final class Replica {
    final ReplicatedEngine engine;

    Replica(StateMachine machine, ClientHosts holders) {
      engine =
          ReplicatedEngine.driven(
              EmbeddedConfig.inMemory().build(),
              () -> nowMs,
              Duration.ofMinutes(10),
              new ReplicaEnvironment(random, () -> nowNs),
              FeedHub.RING_BYTES);
      LogConfig config = LogConfig.defaults().withForcedOften(false);
      engine.applier().begin(machine, holders, new VolatileLog(config, machine.sequence()));
      replicas.add(this);
    }

    ReplicatedEntroQ queue() {
      return engine.queue();
    }

    Gateway gateway() {
      return engine.queue().gateway();
    }

    StateMachine machine() {
      return engine.applier().machine();
    }

    void turn() {
      work();
      engine.reply();
    }

    /** Does what there is to do but for telling callers. */
    void work() {
      engine.proposer().doWork(this::order);
      engine.applier().doWork(Contact.LEADER);
    }

    private boolean order(DirectBuffer buffer, int offset, int length) {
      byte[] message = new byte[length];
      buffer.getBytes(offset, message);
      nowMs++;
      for (Replica each : replicas) {
        each.engine.applier().apply(new UnsafeBuffer(message), 0, length, nowMs);
      }
      return true;
    }
  }
}
