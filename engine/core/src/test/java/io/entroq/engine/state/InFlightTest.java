package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.engine.task.Holds;
import io.entroq.engine.task.TaskAttributes;
import org.junit.jupiter.api.Test;

/** When somebody works on a task, as far as its writes tell. */
class InFlightTest extends PolicyTestBase {
  private static final long CLIENT = 5;

  private void claimed() {
    insert("q", 1);
    apply(claim(BOB, "q"));
    assertThat(isInFlight(1)).isTrue();
    assertThat(inFlight("q")).isEqualTo(1);
  }

  private void assertLanded(String queue) {
    assertThat(isInFlight(1)).isFalse();
    assertThat(inFlight(queue)).isZero();
    assertThat(inFlight("q")).isZero();
  }

  private static Change leaseOf(int version, long byMs) {
    return Change.newBuilder()
        .setId(task(1))
        .setVersion(version)
        .setMode(ChangeMode.CHANGE_LEASE)
        .setFromQueue("q")
        .setData(TaskData.newBuilder().setQueue("q").setByMs(byMs))
        .build();
  }

  @Test
  void shouldNotFlyBeforeItIsClaimed() {
    insert("q", 1);
    apply(modify(ANN).addInserts(insert("q", 2, nowMs + 10)));
    assertThat(inFlight("q")).isZero();
  }

  @Test
  void shouldNotFlyWhenItIsClaimedWithoutALease() {
    insert("q", 1);
    assertThat(apply(claim(BOB, "q").setLeaseMs(0)).claimed).hasSize(1);
    assertThat(inFlight("q")).isZero();
  }

  @Test
  void shouldFlyWhenAWaitingClaimOrAModifyGetsIt() {
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    insert("q", 1);
    assertThat(inFlight("q")).isEqualTo(1);
    apply(
        modify(BOB)
            .addInserts(insert("q", 2, nowMs))
            .setThenClaim(Claim.newBuilder().addQueues("q").setLeaseMs(LEASE_MS)));
    assertThat(inFlight("q")).isEqualTo(2);
  }

  @Test
  void shouldLandWhenItIsDeleted() {
    claimed();
    insert("q", 2);
    apply(modify(BOB).addDeletes(ref(1, 1)));
    assertThat(inFlight("q")).isZero();
  }

  @Test
  void shouldFlyOnWhenItIsRenewed() {
    claimed();
    apply(modify(BOB).addChanges(leaseOf(1, LEASE_MS)));
    assertThat(isInFlight(1)).isTrue();
    apply(modify(BOB).addChanges(change("q", 1, 2, nowMs + LEASE_MS)));
    assertThat(hold(1)).isEqualTo(Holds.HELD);
    assertThat(inFlight("q")).isEqualTo(1);
  }

  @Test
  void shouldLandWhenItIsReleased() {
    claimed();
    apply(modify(BOB).addChanges(leaseOf(1, -1)));
    assertLanded("q");
  }

  @Test
  void shouldLandWhenItIsMadeAvailable() {
    claimed();
    apply(modify(BOB).addChanges(change("q", 1, 1, nowMs)));
    assertLanded("q");
  }

  @Test
  void shouldLandWhenItMoves() {
    claimed();
    apply(modify(BOB).addChanges(change("r", 1, 1, nowMs + 50)));
    assertLanded("r");
  }

  @Test
  void shouldLandWhenItsAttemptIsRaised() {
    claimed();
    TaskData data = data("q", nowMs + 50).toBuilder().setAttempt(1).build();
    apply(modify(BOB).addChanges(change("q", 1, 1, 0).toBuilder().setData(data)));
    assertLanded("q");
  }

  @Test
  void shouldFlyOnWhenItsAttemptIsLowered() {
    TaskData data = data("q", nowMs).toBuilder().setAttempt(3).build();
    apply(modify(ANN).addInserts(insert("q", 1, nowMs).toBuilder().setData(data)));
    apply(claim(BOB, "q"));
    apply(modify(BOB).addChanges(change("q", 1, 1, nowMs + 50)));
    assertThat(isInFlight(1)).isTrue();
  }

  @Test
  void shouldLandWhenItIsGivenBack() {
    insert("q", 1);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 1)));
    cancel(CLIENT, 1);
    assertLanded("q");
  }

  @Test
  void shouldLandAndFlyAgainWhenTheLeaseHasEnded() {
    claimed();
    insert("q", 2);
    later(LEASE_MS);
    apply(claim(ANN, "q").setLimit(2));
    assertThat(inFlight("q")).isEqualTo(2);
    later(LEASE_MS);
    // Claimed without a lease, so that all become ready, and stay so.
    apply(claim(ANN, "q").setLimit(1).setLeaseMs(0));
    assertThat(inFlight("q")).isZero();
  }

  @Test
  void shouldCountBytesOfEachQueue() {
    TaskData data = data("q", nowMs).toBuilder().setErr("12345").build();
    apply(modify(ANN).addInserts(insert("q", 1, nowMs).toBuilder().setData(data)));
    insert("q", 2);
    assertThat(machine.stores.queues.bytes(queue(machine, "q"))).isEqualTo(5);
    TaskData longer = data("r", nowMs).toBuilder().setErr("1234567").build();
    apply(modify(ANN).addChanges(change("q", 1, 0, nowMs).toBuilder().setData(longer)));
    assertThat(machine.stores.queues.bytes(queue(machine, "q"))).isZero();
    assertThat(machine.stores.queues.bytes(queue(machine, "r"))).isEqualTo(7);
    try (StateMachine loaded = reloaded()) {
      assertThat(loaded.stores.queues.bytes(queue(loaded, "r"))).isEqualTo(7);
    }
  }

  @Test
  void shouldLastInAnImage() {
    claimed();
    insert("q", 2);
    try (StateMachine loaded = reloaded()) {
      assertThat(loaded.stores.queues.inFlight(queue(loaded, "q"))).isEqualTo(1);
      applyToBoth(loaded, modify(BOB).addChanges(leaseOf(1, -1)).build());
    }
  }

  @Test
  void shouldRefuseAnImageWithAReadyTaskInFlight() {
    insert("q", 1);
    for (int hold : new int[] {Holds.HELD, Holds.SPOKEN, Holds.RESTING, 5, 7}) {
      assertThat(AlteredImage.refusal(machine, ChunkKinds.TASKS, 4, hold << 6))
          .contains("hold " + hold);
    }
    assertThat(AlteredImage.refusal(machine, ChunkKinds.TASKS, 4, Holds.LAPSED << 6))
        .contains("digest");
  }

  @Test
  void shouldCountInTheDigest() {
    claimed();
    long flying = machine.contentDigest();
    machine.table.detach(machine.stores.tasks.find(0, 1));
    machine.stores.inFlight.end(machine.stores.tasks.find(0, 1), queue(machine, "q"));
    machine.table.attach(machine.stores.tasks.find(0, 1), nowMs);
    assertThat(machine.contentDigest()).isNotEqualTo(flying);
  }

  @Test
  void shouldMarkOnlyWhatIsClaimedAfterTheLevelWasRaised() {
    try (StateMachine raised = new StateMachine(StateMachineConfig.DEFAULT)) {
      applyTo(raised, genesis().toBuilder().setLevel(Levels.POLICIES - 1).build());
      for (int id = 1; id <= 2; id++) {
        applyTo(raised, modify(ANN).addInserts(insert("q", id, nowMs)).build());
        applyTo(raised, claim(BOB, "q").build());
        assertThat(raised.stores.queues.inFlight(queue(raised, "q"))).isEqualTo(id - 1);
        applyTo(raised, RaiseLevel.newBuilder().setLevel(Levels.POLICIES).build());
      }
      nowMs += LEASE_MS;
      applyTo(raised, modify(ANN).addInserts(insert("q", 3, nowMs)).build());
      assertThat(applyTo(raised, claim(BOB, "q").setLimit(3).build()).answers.get(0).claimed)
          .hasSize(3);
      assertThat(lapsesOf(raised, 1)).isZero();
      assertThat(lapsesOf(raised, 2)).isEqualTo(1);
      assertThat(raised.contentDigest()).isEqualTo(raised.recomputeContentDigest());
    }
  }

  private static int lapsesOf(StateMachine of, long id) {
    return new TaskAttributes().read(of.stores.tasks, of.stores.tasks.find(0, id)).lapses();
  }
}
