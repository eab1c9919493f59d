package io.entroq.simulator.check;

import static io.entroq.simulator.check.Script.assertBroken;
import static io.entroq.simulator.check.Script.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.codec.message.CopyIds;
import io.entroq.codec.wire.log.Fair;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Pause;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyState;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.memory.Mix;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each invariant of pools and topics is violated by a lie about a pool or a topic, after a true
 * beginning.
 */
class PoolInvariantTest {
  /** Shorter than a lease. */
  private static final int PERIOD_MS = 500;

  /** Of members that are equal otherwise, that with the smaller hash of its name comes first. */
  private static final String FIRST = hash("p/x") < hash("p/y") ? "p/x" : "p/y";

  private static final String SECOND = FIRST.equals("p/x") ? "p/y" : "p/x";

  private Script script;

  @BeforeEach
  void begin() {
    script = new Script(LedgerConfig.of(Durability.DISK, true));
  }

  @AfterEach
  void close() {
    script.close();
  }

  private static long hash(String name) {
    UnsafeBuffer bytes = new UnsafeBuffer(name.getBytes(StandardCharsets.UTF_8));
    return Mix.bytes(bytes, 0, bytes.capacity());
  }

  private static Policy.Builder pool(Fair fair) {
    return Policy.newBuilder().setName("p").setFair(fair);
  }

  private static Policy.Builder member(String name) {
    return Policy.newBuilder().setName(name);
  }

  private void put(Policy.Builder policy) {
    PolicyState.Builder state =
        PolicyState.newBuilder().setPolicy(policy).setHasRules(true).setVersion(1);
    script.feed(putting(policy), script.ok().addPolicies(state));
  }

  private static Modify putting(Policy.Builder policy) {
    return Modify.newBuilder().setClaimant(Script.ME).addPolicyPuts(policy).build();
  }

  /** A claim of a queue or a pool takes a task. */
  private Task take(String named, Task task) {
    Task taken = script.claimed(task);
    script.feed(Script.claim(named).build(), script.ok().addClaimed(taken));
    return taken;
  }

  private void findNothing(String named) {
    script.feed(Script.claim(named).build(), script.answer(ResultCode.RESULT_EMPTY));
  }

  private void park(long client, String named) {
    script.feed(Script.waiting(client, named, 0).build(), Map.of());
  }

  /** An insert that a claim of an earlier record gets. */
  private void insertFor(long request, String queue, long low) {
    Task task = script.inserted(queue, low, script.nowMs);
    Modify insertion = Script.insertion(queue, low, script.nowMs).build();
    Result own = script.ok().addInserted(task).build();
    Result served = script.ok().addClaimed(script.claimed(task)).build();
    script.feed(insertion, Script.answers(script.next(), own, request, served));
  }

  // Which member.

  @Test
  void shouldNoticeASecondTaskOfAMemberWhileAnotherHasNone() {
    put(pool(Fair.FAIR_LEAST_IN_FLIGHT));
    Task first = script.insert(FIRST, 5);
    Task second = script.insert(FIRST, 6);
    script.insert(SECOND, 7);
    take("p", first);
    assertBroken(Invariant.FAIR_AMONG_MEMBERS, "p", () -> take("p", second));
  }

  @Test
  void shouldCountWhatIsInFlightByWeight() {
    put(pool(Fair.FAIR_LEAST_IN_FLIGHT));
    put(member("p/x").setWeight(2));
    Task first = script.insert("p/x", 5);
    Task second = script.insert("p/x", 6);
    Task other = script.insert("p", 7);
    Task another = script.insert("p", 8);
    script.insert("p/x", 9);
    take("p", first);
    take("p", other);
    take("p", second);
    assertBroken(Invariant.FAIR_AMONG_MEMBERS, "p", () -> take("p", another));
  }

  @Test
  void shouldNoticeASecondStartInARound() {
    put(pool(Fair.FAIR_ROUND_ROBIN));
    Task first = script.insert(FIRST, 5);
    Task second = script.insert(FIRST, 6);
    script.insert(SECOND, 7);
    take("p", first);
    assertBroken(Invariant.FAIR_AMONG_MEMBERS, "p", () -> take("p", second));
  }

  @Test
  void shouldLetAMemberStartTwiceForItsWeight() {
    put(pool(Fair.FAIR_ROUND_ROBIN));
    put(member(FIRST).setWeight(2));
    List<Task> heavy = new ArrayList<>();
    for (int low = 10; low < 16; low++) {
      heavy.add(script.insert(FIRST, low));
    }
    Task light = script.insert(SECOND, 5);
    script.insert(SECOND, 6);
    take("p", heavy.get(0));
    take("p", heavy.get(1));
    take("p", light);
    take("p", heavy.get(2));
    take("p", heavy.get(3));
    assertBroken(Invariant.FAIR_AMONG_MEMBERS, "p", () -> take("p", heavy.get(4)));
  }

  @Test
  void shouldNoticeAMemberThatCatchesUpForATimeWithoutWork() {
    put(pool(Fair.FAIR_ROUND_ROBIN));
    for (int low = 10; low < 16; low++) {
      script.insert(SECOND, low);
    }
    for (int low = 10; low < 14; low++) {
      take("p", script.inserted(SECOND, low, script.nowMs));
    }
    Task late = script.insert(FIRST, 5);
    Task later = script.insert(FIRST, 6);
    take("p", late);
    assertBroken(Invariant.FAIR_AMONG_MEMBERS, "p", () -> take("p", later));
  }

  @Test
  void shouldNoticeALowerRankThatStartsFirst() {
    put(pool(Fair.FAIR_STRICT_RANK));
    put(member("p/high").setRank(1));
    Task low = script.insert("p/low", 5);
    script.insert("p/high", 6);
    assertBroken(Invariant.RANK_FIRST, "p", () -> take("p", low));
  }

  @Test
  void shouldChooseAmongPoolsThenWithinOne() {
    put(pool(Fair.FAIR_ROUND_ROBIN).setPoolDepth(2));
    Task first = script.insert(FIRST + "/1", 5);
    Task second = script.insert(FIRST + "/1", 6);
    script.insert(SECOND + "/1", 7);
    take("p", first);
    assertBroken(Invariant.FAIR_AMONG_MEMBERS, "p", () -> take("p", second));
  }

  @Test
  void shouldNoticeATaskOfAQueueThatIsNoMember() {
    put(pool(Fair.FAIR_ROUND_ROBIN));
    script.insert("p/x", 5);
    Task dead = script.insert("p/err", 6);
    assertBroken(Invariant.ANSWERS_EXACT, name(6), () -> take("p", dead));
  }

  @Test
  void shouldNoticeATaskTwoLevelsBelow() {
    put(pool(Fair.FAIR_ROUND_ROBIN));
    script.insert("p/x", 5);
    Task below = script.insert("p/x/1", 6);
    assertBroken(Invariant.ANSWERS_EXACT, name(6), () -> take("p", below));
  }

  @Test
  void shouldNoticeThatTheNextOfAKeyStartsBeforeTheFirstHasEnded() {
    put(pool(Fair.FAIR_LEAST_IN_FLIGHT));
    Policy.Builder keys = member("p/").setKind(PolicyKind.POLICY_PREFIX);
    put(keys.setInFlightMax(1).setOrder(Order.ORDER_STRICT));
    Task first = script.insert("p/key", 5);
    Task second = script.insert("p/key", 6);
    take("p", first);
    findNothing("p");
    assertBroken(Invariant.IN_FLIGHT_BOUNDED, name(6), () -> take("p", second));
  }

  // Limits of a pool.

  @Test
  void shouldNoticeOneTooManyInFlightInAPool() {
    put(pool(Fair.FAIR_LEAST_IN_FLIGHT).setPoolInFlightMax(1));
    Task first = script.insert("p/x", 5);
    Task second = script.insert("p/y", 6);
    take("p/x", first);
    assertBroken(Invariant.IN_FLIGHT_BOUNDED, name(6), () -> take("p/y", second));
  }

  @Test
  void shouldCountLeasesThatHaveEndedNoMore() {
    put(pool(Fair.FAIR_LEAST_IN_FLIGHT).setPoolInFlightMax(1));
    Task first = script.insert("p/x", 5);
    Task second = script.insert("p/y", 6);
    take("p/x", first);
    findNothing("p/y");
    script.nowMs += Script.LEASE_MS;
    script.feed(Tick.getDefaultInstance(), Map.of());
    take("p/y", second);
  }

  @Test
  void shouldNoticeAStartBeforeTheRateOfAPoolPermitsIt() {
    put(pool(Fair.FAIR_ROUND_ROBIN).setPoolRateLimit(1).setPoolRatePeriodMs(PERIOD_MS));
    Task first = script.insert(FIRST, 5);
    Task second = script.insert(SECOND, 6);
    take("p", first);
    script.nowMs += PERIOD_MS - 1;
    assertBroken(Invariant.RATE_KEPT, name(6), () -> take("p", second));
  }

  @Test
  void shouldNoticeAStartInAMemberOfAPausedPool() {
    put(pool(Fair.FAIR_ROUND_ROBIN));
    Pause.Builder pause = Pause.newBuilder().setName("p").setPauseMs(-1);
    PolicyState.Builder state =
        PolicyState.newBuilder()
            .setPolicy(pool(Fair.FAIR_ROUND_ROBIN))
            .setHasRules(true)
            .setVersion(2)
            .setPausedUntilMs(Long.MAX_VALUE);
    Modify pausing = Modify.newBuilder().setClaimant(Script.ME).addPauses(pause).build();
    script.feed(pausing, script.ok().addPolicies(state));
    Task task = script.insert("p/x", 5);
    assertBroken(Invariant.PAUSED_GETS_NOTHING, name(5), () -> take("p/x", task));
  }

  @Test
  void shouldNoticeAFourthLevelOfPools() {
    put(pool(Fair.FAIR_ROUND_ROBIN).setPoolDepth(3));
    Policy.Builder below = member("p/a/b").setFair(Fair.FAIR_ROUND_ROBIN).setPoolDepth(2);
    PolicyState.Builder state =
        PolicyState.newBuilder().setPolicy(below).setHasRules(true).setVersion(1);
    assertBroken(
        Invariant.POLICIES_AS_WRITTEN,
        "@" + script.next(),
        () -> script.feed(putting(below), script.ok().addPolicies(state)));
  }

  // Claims that wait.

  @Test
  void shouldNoticeAClaimOfAPoolThatIsNotServed() {
    put(pool(Fair.FAIR_ROUND_ROBIN));
    park(8, "p");
    assertBroken(Invariant.CLAIMERS_SERVED, "@3", () -> script.insert("p/x", 5));
  }

  @Test
  void shouldServeAClaimOfAMemberOnceAnotherMemberHasEnded() {
    put(pool(Fair.FAIR_LEAST_IN_FLIGHT).setPoolInFlightMax(1));
    Task first = take("p/x", script.insert("p/x", 5));
    Task second = script.insert("p/y", 6);
    park(8, "p/y");
    Result own = script.ok().build();
    Result served = script.ok().addClaimed(script.claimed(second)).build();
    script.feed(Script.deletion(first).build(), Script.answers(script.next(), own, 6, served));
  }

  @Test
  void shouldNoticeAClaimOfAMemberThatIsNotServedOnceAnotherMemberHasEnded() {
    put(pool(Fair.FAIR_LEAST_IN_FLIGHT).setPoolInFlightMax(1));
    Task first = take("p/x", script.insert("p/x", 5));
    script.insert("p/y", 6);
    park(8, "p/y");
    Modify deletion = Script.deletion(first).build();
    assertBroken(Invariant.CLAIMERS_SERVED, "@6", () -> script.feed(deletion, script.ok()));
  }

  @Test
  void shouldNoticeATickThatIsLateForALeaseInAnotherMember() {
    put(pool(Fair.FAIR_LEAST_IN_FLIGHT).setPoolInFlightMax(1));
    take("p/x", script.insert("p/x", 5));
    script.insert("p/y", 6);
    park(8, "p/y");
    script.nowMs += Script.LEASE_MS;
    assertBroken(
        Invariant.LAPSED_NOT_HANDED_OUT, "@" + script.next(), () -> script.insert("other", 7));
  }

  @Test
  void shouldNoticeAYoungerClaimOfAMemberThatIsServedBeforeThatOfThePool() {
    put(pool(Fair.FAIR_ROUND_ROBIN));
    park(8, "p");
    park(9, "p/x");
    assertBroken(Invariant.WAITERS_IN_TURN, "@3", () -> insertFor(4, "p/x", 5));
  }

  @Test
  void shouldServeTheOldestClaimOfAMemberOrThePool() {
    put(pool(Fair.FAIR_ROUND_ROBIN));
    park(8, "p/y");
    park(9, "p");
    park(10, "p/x");
    insertFor(4, "p/x", 5);
    insertFor(5, "p/x", 6);
  }

  // Topics.

  private static Policy.Builder topic(String... groups) {
    return Policy.newBuilder().setName("t").addAllGroups(List.of(groups));
  }

  private List<Task> copies(long low, String... groups) {
    List<Task> copies = new ArrayList<>();
    for (String group : groups) {
      UnsafeBuffer bytes = new UnsafeBuffer(group.getBytes(StandardCharsets.UTF_8));
      long hash = CopyIds.hash(bytes, 0, bytes.capacity());
      Id id = Script.id(low);
      Id.Builder copy =
          Id.newBuilder()
              .setHigh(CopyIds.high(id.getHigh(), hash))
              .setLow(CopyIds.low(id.getHigh(), id.getLow(), hash));
      copies.add(script.inserted("t/" + group, low, script.nowMs).toBuilder().setId(copy).build());
    }
    return copies;
  }

  private void publish(long low, List<Task> copies) {
    Modify insertion = Script.insertion("t", low, script.nowMs).build();
    script.feed(insertion, script.ok().addAllInserted(copies));
  }

  @Test
  void shouldNoticeAGroupThatGetsNothing() {
    put(topic("g", "h"));
    assertBroken(
        Invariant.EACH_GROUP_ONCE,
        "@" + script.next(),
        () -> publish(5, copies(5, "g", "h").subList(0, 1)));
  }

  @Test
  void shouldNoticeATaskThatStaysInATopic() {
    put(topic("g"));
    assertBroken(Invariant.EACH_GROUP_ONCE, "t/g", () -> script.insert("t", 5));
  }

  @Test
  void shouldNoticeGroupsInAnotherOrder() {
    put(topic("g", "h"));
    assertBroken(Invariant.EACH_GROUP_ONCE, "t/g", () -> publish(5, copies(5, "h", "g")));
  }

  @Test
  void shouldNoticeACopyMadeTwice() {
    put(topic("g", "h"));
    List<Task> copies = copies(5, "g", "h");
    publish(5, copies);
    String subject = Script.name(5);
    assertBroken(Invariant.IDS_STAY_TAKEN, subject, () -> publish(5, copies));
  }

  @Test
  void shouldNoticeACopyWithAnotherValue() {
    put(topic("g", "h"));
    List<Task> copies = copies(5, "g", "h");
    publish(5, copies);
    Task copy = copies.get(1).toBuilder().clearValue().build();
    String subject = Tasks.name(copy.getId().getHigh(), copy.getId().getLow());
    assertBroken(Invariant.VALUE_INTACT, subject, () -> take("t/h", copy));
  }

  @Test
  void shouldNoticeACopyBeyondTheSizeOfItsQueue() {
    put(topic("g", "h"));
    put(member("t/h").setTasksMax(1));
    publish(5, copies(5, "g", "h"));
    assertBroken(Invariant.SIZE_KEPT, "@" + script.next(), () -> publish(6, copies(6, "g", "h")));
  }

  @Test
  void shouldCountASharedValueOnceUntilItsLastCopyIsGone() {
    put(topic("g", "h", "k"));
    List<Task> copies = copies(5, "g", "h", "k");
    publish(5, copies);
    long bytes = copies.get(0).getValue().size();
    assertThat(script.ledger.contentBytes()).isEqualTo(bytes);

    script.feed(Script.deletion(copies.get(1)).build(), script.ok());
    assertThat(script.ledger.contentBytes()).isEqualTo(bytes);

    script.feed(Script.deletion(copies.get(0)).build(), script.ok());
    script.feed(Script.deletion(copies.get(2)).build(), script.ok());
    assertThat(script.ledger.contentBytes()).isZero();
  }
}
