package io.entroq.simulator.random;

import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyRef;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.engine.state.Levels;
import java.util.List;
import java.util.function.Consumer;

/**
 * Short scenes with policies that random commands meet only once in many seeds. Each was a
 * disagreement of engine and ledger, or could be one. The ledger checks every answer.
 */
final class PolicyScenes {
  private static final long START_MS = 1_700_000_000_000L;
  private static final long LEASE_MS = 1_000;
  private static final long FOREVER_MS = 1_000_000;
  private static final Id ME = id(7, 7);
  private static final Id OTHER = id(8, 8);

  /** What can be played. */
  enum Scene {
    LIMITER_COUNTS_LESS_AS_A_CLAIM_PARKS(PolicyScenes::limiterCountsLessAsAClaimParks),
    PARKING_FREES_THE_OTHER_QUEUE(PolicyScenes::parkingFreesTheOtherQueue),
    FRONT_STAYS_WHILE_ANOTHER_ORDER_APPLIES(PolicyScenes::frontStaysWhileAnotherOrderApplies),
    EXPIRED_AT_ONCE_MOVE_BY_ID(PolicyScenes::expiredAtOnceMoveById),
    FAILURES_END_WITH_THE_QUEUE(PolicyScenes::failuresEndWithTheQueue),
    BREAKER_ENDS_WITH_THE_POLICY(PolicyScenes::breakerEndsWithThePolicy),
    POSITIONS_AT_AN_INTERVAL(PolicyScenes::positionsAtAnInterval),
    BREAKER_COUNTS_ON_AFTER_A_TAKE_BACK(PolicyScenes::breakerCountsOnAfterATakeBack);

    private final Consumer<PolicyScenes> play;

    Scene(Consumer<PolicyScenes> play) {
      this.play = play;
    }
  }

  private final WatchedMachine machine;
  private long nowMs = START_MS;

  private PolicyScenes(WatchedMachine machine) {
    this.machine = machine;
  }

  /** Plays one from the beginning, with commands that are prepared or not. */
  static void play(Scene scene, boolean isPrepared) {
    try (WatchedMachine machine = WatchedMachine.of(isPrepared ? 2 : 1)) {
      machine.begin(1, Levels.MAX, START_MS);
      scene.play.accept(new PolicyScenes(machine));
      machine.end();
    }
  }

  // Scenes.

  /** The limiter counts a task of a queue that has a policy without it now, until a claim parks. */
  private void limiterCountsLessAsAClaimParks() {
    fillLimiter();
    park(1, "b");
    put(policy("a"));
    park(2, "a", "c", "b");
  }

  private void parkingFreesTheOtherQueue() {
    fillLimiter();
    put(policy("a"));
    park(1, "b", "a");
  }

  private void fillLimiter() {
    put(policy("x").setKind(PolicyKind.POLICY_LIMITER).setInFlightMax(1));
    put(policy("a").addLimiters("x"));
    put(policy("b").addLimiters("x"));
    insert("a", id(1, 1), 0);
    insert("b", id(1, 2), 0);
    insert("b", id(1, 3), 0);
    claim("a");
  }

  private void frontStaysWhileAnotherOrderApplies() {
    Policy.Builder strict = policy("q").setInFlightMax(1).setOrder(Order.ORDER_STRICT);
    put(strict);
    insert("q", id(1, 1), 0);
    insert("q", id(1, 2), 0);
    claim("q");
    fail("q", id(1, 1), 1);
    put(policy("q"));
    insert("q", id(1, 3), 0);
    put(strict);
    claim("q");
  }

  /** Half of all ids are negative numbers, if they are taken for that. */
  private void expiredAtOnceMoveById() {
    put(policy("q").setExpiredQueue("late"));
    put(policy("late").setOrder(Order.ORDER_OLDEST));
    for (int i = 0; i < 8; i++) {
      insert("q", id(i << 29, ~i), LEASE_MS);
    }
    nowMs += LEASE_MS;
    for (int i = 0; i < 8; i++) {
      claim("late");
    }
  }

  /** A queue without a policy of its exact name is gone when it is empty. */
  private void failuresEndWithTheQueue() {
    put(
        policy("q")
            .setKind(PolicyKind.POLICY_PREFIX)
            .setBreakerFailures(2)
            .setBreakerPauseMs(FOREVER_MS));
    for (int i = 1; i <= 3; i++) {
      insert("q1", id(1, i), 0);
      claim("q1");
      fail("q1", id(1, i), 1);
      move("q1", id(1, i), 2);
      nowMs += LEASE_MS;
    }
    insert("q1", id(1, 9), 0);
    claim("q1");
  }

  /** Nothing pauses a queue without rules, though nothing has come to it since it had some. */
  private void breakerEndsWithThePolicy() {
    put(policy("q").setBreakerFailures(1).setBreakerPauseMs(FOREVER_MS));
    insert("q", id(1, 1), 0);
    claim("q");
    fail("q", id(1, 1), 1);
    claim("q");
    PolicyRef ref = PolicyRef.newBuilder().setName("q").build();
    machine.execute(modify().addPolicyDeletes(ref).build(), nowMs);
    machine.end();
    claim("q");
  }

  /** Three starts a second, each in the millisecond after a third of it has passed. */
  private void positionsAtAnInterval() {
    put(policy("q").setRateLimit(3).setRatePeriodMs(LEASE_MS).setOrder(Order.ORDER_OLDEST));
    for (int i = 1; i <= 5; i++) {
      insert("q", id(1, i), 0);
    }
    for (int i = 1; i <= 5; i++) {
      machine.end();
      claim("q");
      nowMs += 334;
    }
  }

  /** Between two failures, somebody takes the task back: nothing was said of the work. */
  private void breakerCountsOnAfterATakeBack() {
    put(policy("q").setBreakerFailures(2).setBreakerPauseMs(FOREVER_MS));
    insert("q", id(1, 1), 0);
    claim("q");
    fail("q", id(1, 1), 1);
    claim("q");
    takeBack("q", id(1, 1), 3);
    claim("q");
    fail("q", id(1, 1), 5);
    claim("q");
  }

  // Commands.

  private static Id id(long high, long low) {
    return Id.newBuilder().setHigh(high).setLow(low).build();
  }

  private static Policy.Builder policy(String name) {
    return Policy.newBuilder().setName(name);
  }

  private static Modify.Builder modify() {
    return Modify.newBuilder().setClaimant(ME);
  }

  private void put(Policy.Builder policy) {
    machine.execute(modify().addPolicyPuts(policy).build(), nowMs);
  }

  private void insert(String queue, Id id, long ttlMs) {
    TaskData data = TaskData.newBuilder().setQueue(queue).setTtlMs(ttlMs).build();
    machine.execute(
        modify().addInserts(Insert.newBuilder().setId(id).setData(data)).build(), nowMs);
  }

  private void claim(String queue) {
    machine.execute(
        Claim.newBuilder().setClaimant(ME).addQueues(queue).setLeaseMs(LEASE_MS).build(), nowMs);
  }

  private void park(long client, String... queues) {
    Identity identity =
        Identity.newBuilder()
            .setClientHigh(client)
            .setClientLow(client)
            .setNumber(1)
            .setAckedBelow(1)
            .build();
    machine.execute(
        Claim.newBuilder()
            .setClaimant(ME)
            .addAllQueues(List.of(queues))
            .setLeaseMs(LEASE_MS)
            .setIdentity(identity)
            .setWait(true)
            .build(),
        nowMs);
  }

  private void fail(String queue, Id id, int version) {
    Fail fail = Fail.newBuilder().setId(id).setVersion(version).setQueue(queue).build();
    machine.execute(modify().addFails(fail).build(), nowMs);
  }

  private void takeBack(String queue, Id id, int version) {
    Change change =
        Change.newBuilder()
            .setId(id)
            .setVersion(version)
            .setFromQueue(queue)
            .setData(TaskData.newBuilder().setQueue(queue))
            .setMode(ChangeMode.CHANGE_TAKE_BACK)
            .build();
    machine.execute(Modify.newBuilder().setClaimant(OTHER).addChanges(change).build(), nowMs);
  }

  private void move(String queue, Id id, int version) {
    Change change =
        Change.newBuilder()
            .setId(id)
            .setVersion(version)
            .setFromQueue(queue)
            .setData(TaskData.newBuilder().setQueue("elsewhere"))
            .build();
    machine.execute(modify().addChanges(change).build(), nowMs);
  }
}
