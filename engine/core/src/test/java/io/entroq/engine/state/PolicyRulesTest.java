package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.ListPolicies;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Pause;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyRef;
import io.entroq.codec.wire.log.PolicyState;
import io.entroq.codec.wire.log.QueueStats;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.policy.PolicyView;
import io.entroq.engine.result.PoliciesPage;
import io.entroq.engine.result.QueuesPage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Which policies there are, what they apply to, and when they let tasks start. */
class PolicyRulesTest extends PolicyTestBase {

  static Policy.Builder policy(String name) {
    return Policy.newBuilder().setName(name);
  }

  static Policy.Builder prefix(String name) {
    return policy(name).setKind(PolicyKind.POLICY_PREFIX);
  }

  static Policy.Builder limiter(String name) {
    return policy(name).setKind(PolicyKind.POLICY_LIMITER);
  }

  static Policy.Builder rate(Policy.Builder policy, int limit, long periodMs, int burst) {
    return policy.setRateLimit(limit).setRatePeriodMs(periodMs).setRateBurst(burst);
  }

  private Answer put(Policy.Builder... policies) {
    Modify.Builder modify = modify(ANN);
    for (Policy.Builder policy : policies) {
      modify.addPolicyPuts(policy);
    }
    return apply(modify);
  }

  private Answer pause(PolicyKind kind, String name, long ms) {
    return apply(
        modify(ANN).addPauses(Pause.newBuilder().setKind(kind).setName(name).setPauseMs(ms)));
  }

  private Answer delete(PolicyKind kind, String name) {
    return apply(modify(ANN).addPolicyDeletes(PolicyRef.newBuilder().setKind(kind).setName(name)));
  }

  private void assertOk(Answer answer) {
    assertThat(answer.code).isEqualTo(ResultCodes.OK);
  }

  private int version(PolicyKind kind, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    int slot =
        machine.stores.policies.find(kind.getNumber(), new UnsafeBuffer(bytes), 0, bytes.length);
    return slot == Slab.NONE ? 0 : machine.stores.policies.version(slot);
  }

  private int claimNow(String... queues) {
    Answer answer = apply(claim(BOB, queues));
    return answer.code == ResultCodes.OK ? answer.claimed.size() : 0;
  }

  private void fill(String queue, int from, int count) {
    for (int i = from; i < from + count; i++) {
      insert(queue, i);
    }
  }

  // Versions and refusals.

  @Test
  void shouldCountWritesInTheVersion() {
    assertOk(put(policy("q").setInFlightMax(3)));
    assertOk(put(policy("q").setInFlightMax(4).setExpectedVersion(1)));
    assertOk(pause(PolicyKind.POLICY_QUEUE, "q", -1));
    assertThat(version(PolicyKind.POLICY_QUEUE, "q")).isEqualTo(3);
    assertThat(put(policy("q").setExpectedVersion(2)).code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(put(policy("q").setExpectedVersion(-1)).code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(put(limiter("q").setExpectedVersion(1)).code).isEqualTo(ResultCodes.DEPENDENCY);
    assertOk(put(limiter("q").setExpectedVersion(-1)));
    assertOk(delete(PolicyKind.POLICY_QUEUE, "q"));
    assertThat(version(PolicyKind.POLICY_QUEUE, "q")).isZero();
    assertThat(delete(PolicyKind.POLICY_QUEUE, "q").code).isEqualTo(ResultCodes.DEPENDENCY);
  }

  @Test
  void shouldWriteAllOrNothing() {
    Answer answer =
        apply(
            modify(ANN)
                .addPolicyPuts(policy("a"))
                .addPolicyPuts(policy("b").setExpectedVersion(7))
                .addInserts(insert("a", 1, nowMs)));
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(version(PolicyKind.POLICY_QUEUE, "a")).isZero();
    assertThat(find(1)).isNull();
  }

  @Test
  void shouldRefuseMorePoliciesThanThereMayBe() {
    assertOk(apply(modify(ANN).setPoliciesMax(1).addPolicyPuts(policy("a"))));
    assertOk(apply(modify(ANN).setPoliciesMax(1).addPolicyPuts(limiter("a"))));
    Modify.Builder more = modify(ANN).setPoliciesMax(1).addPolicyPuts(prefix("b"));
    assertThat(apply(more).code).isEqualTo(ResultCodes.TOO_MANY_POLICIES);
    assertOk(apply(modify(ANN).setPoliciesMax(1).addPolicyPuts(policy("a"))));
    assertOk(apply(more.addPolicyDeletes(PolicyRef.newBuilder().setName("a").build())));
  }

  @Test
  void shouldRefuseTheSamePolicyTwice() {
    assertThat(put(policy("a"), policy("a")).code).isEqualTo(ResultCodes.DUPLICATE_ITEM);
    assertOk(put(policy("a"), prefix("a"), limiter("a")));
  }

  @Test
  void shouldRefuseDeadQueuesInACircle() {
    assertOk(put(policy("a").setDeadQueue("b")));
    assertOk(put(policy("b").setDeadQueue("c")));
    assertThat(put(policy("c").setDeadQueue("a")).code).isEqualTo(ResultCodes.POLICY_CIRCLE);
    assertThat(put(policy("x").setDeadQueue("y"), policy("y").setDeadQueue("x")).code)
        .isEqualTo(ResultCodes.POLICY_CIRCLE);
    assertOk(put(prefix("p/").setDeadQueue("p/dead")));
    assertThat(put(policy("p/dead").setDeadQueue("p/again")).code)
        .isEqualTo(ResultCodes.POLICY_CIRCLE);
    assertThat(put(policy("e").setAttemptsMax(1), policy("e/err").setDeadQueue("e")).code)
        .isEqualTo(ResultCodes.POLICY_CIRCLE);
  }

  @Test
  void shouldRefuseAllOfItAtTheLevelBefore() {
    try (StateMachine old = new StateMachine(StateMachineConfig.DEFAULT)) {
      applyTo(old, Genesis.newBuilder().setSeed(7).setLevel(Levels.POLICIES - 1).build());
      Modify[] commands = {
        modify(ANN).addPolicyPuts(policy("a")).build(),
        modify(ANN).addPauses(Pause.newBuilder().setName("a").setPauseMs(-1)).build(),
        modify(ANN)
            .addInserts(
                insert("a", 1, nowMs).toBuilder()
                    .setData(TaskData.newBuilder().setQueue("a").setTtlMs(5)))
            .build()
      };
      for (Modify command : commands) {
        RecordingSink sink = applyTo(old, command);
        assertThat(sink.of(old.sequence()).code).isEqualTo(ResultCodes.LEVEL_TOO_LOW);
      }
      assertThat(old.taskCount()).isZero();
      assertThat(old.contentDigest()).isEqualTo(old.recomputeContentDigest());
    }
  }

  // Resolution.

  @Test
  void shouldPreferTheExactNameAndThenTheLongestPrefix() {
    put(prefix("a").setInFlightMax(1), prefix("a/b").setInFlightMax(2), policy("a/b/c"));
    fill("a/x", 10, 5);
    fill("a/b/x", 20, 5);
    fill("a/b/c", 30, 5);
    fill("a/x/err", 40, 5);
    assertThat(apply(claim(BOB, "a/x").setLimit(5)).claimed).hasSize(1);
    assertThat(apply(claim(BOB, "a/b/x").setLimit(5)).claimed).hasSize(2);
    assertThat(apply(claim(BOB, "a/b/c").setLimit(5)).claimed).hasSize(5);
    assertThat(apply(claim(BOB, "a/x/err").setLimit(5)).claimed).hasSize(5);
  }

  @Test
  void shouldNotApplyAPrefixToItsOwnDeadQueue() {
    put(prefix("a/").setInFlightMax(1).setDeadQueue("a/dead").setExpiredQueue("a/late"));
    fill("a/dead", 10, 2);
    fill("a/late", 20, 2);
    assertThat(apply(claim(BOB, "a/dead").setLimit(2)).claimed).hasSize(2);
    assertThat(apply(claim(BOB, "a/late").setLimit(2)).claimed).hasSize(2);
  }

  @Test
  void shouldFollowAPolicyThatIsWrittenLater() {
    fill("q", 1, 5);
    assertThat(claimNow("q")).isEqualTo(1);
    put(policy("q").setInFlightMax(2));
    assertThat(claimNow("q")).isEqualTo(1);
    assertThat(claimNow("q")).isZero();
    put(policy("q").setInFlightMax(1));
    assertThat(inFlight("q")).as("lowering it takes nothing away").isEqualTo(2);
    assertThat(claimNow("q")).isZero();
    delete(PolicyKind.POLICY_QUEUE, "q");
    assertThat(claimNow("q")).isEqualTo(1);
  }

  // Rates.

  @Test
  void shouldOpenOnTheMillisecond() {
    put(rate(policy("q"), 10, 1_000, 1));
    fill("q", 1, 5);
    assertThat(claimNow("q")).isEqualTo(1);
    assertThat(claimNow("q")).isZero();
    nowMs += 99;
    assertThat(claimNow("q")).isZero();
    nowMs += 1;
    assertThat(claimNow("q")).isEqualTo(1);
  }

  @Test
  void shouldWakeAParkedClaimOnTheMillisecond() {
    put(rate(policy("q"), 10, 1_000, 1));
    fill("q", 1, 3);
    claimNow("q");
    long openMs = nowMs + 100;
    assertThat(apply(wait(request(1, 1), NEVER, "q"))).isNull();
    assertThat(apply(wait(request(2, 1), NEVER, "q"))).isNull();
    assertThat(machine.nextDeadlineMs()).isEqualTo(openMs);
    nowMs = openMs;
    apply(Tick.getDefaultInstance());
    assertThat(said.answers).hasSize(1);
    assertThat(machine.nextDeadlineMs()).isEqualTo(openMs + 100);
  }

  @Test
  void shouldPermitABurst() {
    put(rate(policy("q"), 10, 1_000, 3));
    fill("q", 1, 9);
    assertThat(apply(claim(BOB, "q").setLimit(9)).claimed).hasSize(3);
    nowMs += 250;
    assertThat(apply(claim(BOB, "q").setLimit(9)).claimed).hasSize(2);
    nowMs += 50;
    assertThat(apply(claim(BOB, "q").setLimit(9)).claimed).hasSize(1);
    nowMs += 10_000;
    assertThat(apply(claim(BOB, "q").setLimit(9)).claimed).hasSize(3);
  }

  @Test
  void shouldKeepWhatWasUsedWhenTheRateChanges() {
    put(rate(policy("q"), 1, 10_000, 1));
    fill("q", 1, 3);
    assertThat(claimNow("q")).isEqualTo(1);
    put(rate(policy("q"), 1, 1_000, 1));
    nowMs += 9_999;
    assertThat(claimNow("q")).isZero();
    nowMs += 1;
    assertThat(claimNow("q")).isEqualTo(1);
    nowMs += 1_000;
    assertThat(claimNow("q")).isEqualTo(1);
  }

  @Test
  void shouldCountAStartWithoutALease() {
    put(rate(policy("q"), 1, 1_000, 1));
    fill("q", 1, 2);
    assertThat(apply(claim(BOB, "q").setLeaseMs(0)).claimed).hasSize(1);
    assertThat(claimNow("q")).isZero();
  }

  // In flight.

  @Test
  void shouldWakeAParkedClaimWhenAPlaceGetsFree() {
    put(policy("q").setInFlightMax(1));
    fill("q", 1, 2);
    Answer first = apply(claim(BOB, "q"));
    assertThat(apply(wait(request(1, 1), NEVER, "q"))).isNull();
    assertThat(said.answers).isEmpty();
    long id = first.claimed.get(0).id();
    apply(modify(BOB).addDeletes(ref(id, 1)));
    assertThat(said.answers).hasSize(2);
    assertThat(inFlight("q")).isEqualTo(1);
  }

  @Test
  void shouldFreeThePlaceOnTimeWhenALeaseEnds() {
    put(policy("q").setInFlightMax(1));
    fill("q", 1, 2);
    apply(claim(BOB, "q"));
    assertThat(apply(wait(request(1, 1), NEVER, "q"))).isNull();
    assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + LEASE_MS);
    later(LEASE_MS);
    assertThat(said.answers).hasSize(1);
    assertThat(inFlight("q")).isEqualTo(1);
  }

  // Limiters.

  @Test
  void shouldShareALimiter() {
    put(limiter("api").setInFlightMax(3), policy("a").addLimiters("api"));
    put(policy("b").addLimiters("api").addLimiters("unknown"));
    fill("a", 10, 5);
    fill("b", 20, 5);
    assertThat(apply(claim(BOB, "a").setLimit(2)).claimed).hasSize(2);
    Answer rest = apply(claim(BOB, "b").setLimit(5));
    assertThat(rest.claimed).hasSize(1);
    assertThat(claimNow("a", "b")).isZero();
    apply(modify(BOB).addDeletes(ref(rest.claimed.get(0).id(), 1)));
    assertThat(claimNow("a", "b")).isEqualTo(1);
  }

  @Test
  void shouldWakeOneQueueForATokenInTheOrderOfTheirClaims() {
    put(rate(limiter("api"), 10, 1_000, 1), prefix("t/").addLimiters("api"));
    fill("t/x", 1, 1);
    claimNow("t/x");
    String[] queues = {"t/c", "t/a", "t/b"};
    for (int i = 0; i < queues.length; i++) {
      fill(queues[i], 10 * (i + 1), 2);
      assertThat(apply(wait(request(i + 1, 1), NEVER, queues[i]))).isNull();
    }
    for (String queue : queues) {
      assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + 100);
      later(100);
      assertThat(said.answers).hasSize(1);
      assertThat(said.answers.get(0).claimed.get(0).queue()).isEqualTo(queue);
    }
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldMoveWhatIsInFlightToTheLimitersOfANewPolicy() {
    fill("a", 1, 5);
    apply(claim(BOB, "a").setLimit(2));
    put(limiter("x").setInFlightMax(2), policy("a").addLimiters("x"));
    assertThat(claimNow("a")).as("two are in flight already").isZero();
    put(limiter("y").setInFlightMax(3), policy("a").addLimiters("y"));
    assertThat(claimNow("a")).isEqualTo(1);
    assertThat(claimNow("a")).isZero();
    delete(PolicyKind.POLICY_LIMITER, "y");
    assertThat(claimNow("a")).isEqualTo(1);
    put(limiter("y").setInFlightMax(4));
    assertThat(claimNow("a")).as("a limiter that is there again counts as before").isZero();
  }

  /** A queue that nobody waits for follows the writes of policies only when a claim parks on it. */
  @Test
  void shouldServeInTheStepInWhichALimiterIsFoundToCountLess() {
    long waiting = blockedByTheFormerLimiterOfA();
    apply(wait(request(2, 1), NEVER, "a", "b"));
    assertThat(said.of(waiting).claimed).hasSize(1);
    assertThat(machine.nextDeadlineMs()).isGreaterThan(nowMs);
  }

  @Test
  void shouldServeAClaimThatParksAndSoFreesItsOtherQueue() {
    put(limiter("x").setInFlightMax(1), policy("a").addLimiters("x"), policy("b").addLimiters("x"));
    fill("a", 1, 1);
    fill("b", 2, 1);
    assertThat(claimNow("a")).isEqualTo(1);
    put(policy("a"));
    apply(wait(request(1, 1), NEVER, "b", "a"));
    assertThat(said.of(machine.sequence()).claimed).hasSize(1);
  }

  /** Returns the parked claim of b: a limiter still counts a task of a, which has another now. */
  private long blockedByTheFormerLimiterOfA() {
    put(limiter("x").setInFlightMax(1), policy("a").addLimiters("x"), policy("b").addLimiters("x"));
    fill("a", 1, 1);
    fill("b", 2, 2);
    assertThat(claimNow("a")).isEqualTo(1);
    apply(wait(request(1, 1), NEVER, "b"));
    long waiting = machine.sequence();
    put(policy("a"));
    assertThat(said.answers).as("the queue of the written policy is looked at later").hasSize(1);
    return waiting;
  }

  @Test
  void shouldKeepTheTaskInFrontWhileAnotherOrderApplies() {
    put(policy("q").setInFlightMax(1).setOrder(Order.ORDER_STRICT));
    fill("q", 1, 3);
    Answer first = apply(claim(BOB, "q"));
    apply(
        modify(BOB)
            .addFails(
                Fail.newBuilder().setId(ref(first.claimed.get(0).id(), 0).getId()).setVersion(1)));
    put(policy("q"));
    insert("q", 4);
    put(policy("q").setInFlightMax(1).setOrder(Order.ORDER_STRICT));
    assertThat(apply(claim(BOB, "q")).claimed.get(0).id()).isEqualTo(first.claimed.get(0).id());
  }

  // Pauses.

  @Test
  void shouldGiveNothingWhilePausedAndServeInTheStepOfTheResume() {
    fill("q", 1, 2);
    pause(PolicyKind.POLICY_QUEUE, "q", -1);
    assertThat(claimNow("q")).isZero();
    assertThat(apply(wait(request(1, 1), NEVER, "q"))).isNull();
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
    pause(PolicyKind.POLICY_QUEUE, "q", 0);
    assertThat(said.answers).hasSize(2);
    assertThat(version(PolicyKind.POLICY_QUEUE, "q")).isZero();
  }

  @Test
  void shouldEndAPauseAtItsTimeAndForgetIt() {
    fill("a/q", 1, 2);
    pause(PolicyKind.POLICY_PREFIX, "a/", 500);
    assertThat(apply(wait(request(1, 1), NEVER, "a/q"))).isNull();
    assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + 500);
    later(500);
    assertThat(said.answers).hasSize(1);
    assertThat(version(PolicyKind.POLICY_PREFIX, "a/")).isZero();
    assertThat(claimNow("a/q")).isEqualTo(1);
  }

  @Test
  void shouldKeepThePauseWhenRulesAreWritten() {
    fill("q", 1, 2);
    pause(PolicyKind.POLICY_QUEUE, "q", -1);
    put(policy("q").setInFlightMax(5));
    assertThat(claimNow("q")).isZero();
    pause(PolicyKind.POLICY_QUEUE, "q", 0);
    assertThat(claimNow("q")).isEqualTo(1);
  }

  @Test
  void shouldPauseALimiter() {
    put(policy("q").addLimiters("api"));
    fill("q", 1, 2);
    pause(PolicyKind.POLICY_LIMITER, "api", 500);
    assertThat(apply(wait(request(1, 1), NEVER, "q"))).isNull();
    assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + 500);
    later(500);
    assertThat(said.answers).hasSize(1);
  }

  // Order, and queues that stay.

  @Test
  void shouldGiveTheOldest() {
    put(policy("q").setOrder(Order.ORDER_OLDEST));
    fill("q", 1, 30);
    for (int i = 1; i <= 30; i++) {
      assertThat(apply(claim(BOB, "q")).claimed.get(0).id()).isEqualTo(i);
    }
  }

  @Test
  void shouldKeepAnEmptyQueueThatHasAPolicyOfItsOwn() {
    put(policy("q"));
    insert("q", 1);
    apply(modify(ANN).addDeletes(ref(1, 0)));
    assertThat(queue(machine, "q")).isNotEqualTo(Slab.NONE);
    delete(PolicyKind.POLICY_QUEUE, "q");
    assertThat(queue(machine, "q")).isEqualTo(Slab.NONE);
  }

  @Test
  void shouldKeepAnEmptyQueueWhileItsRateMatters() {
    put(rate(prefix("a/"), 1, 1_000, 1));
    insert("a/q", 1);
    claimNow("a/q");
    apply(modify(BOB).addDeletes(ref(1, 1)));
    assertThat(queue(machine, "a/q")).isNotEqualTo(Slab.NONE);
    assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + 1_000);
    insert("a/q", 2);
    assertThat(claimNow("a/q")).as("its rate is not forgotten").isZero();
    apply(modify(BOB).addDeletes(ref(2, 0)));
    later(1_000);
    assertThat(queue(machine, "a/q")).isEqualTo(Slab.NONE);
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldNameTheItemOfARefusal() {
    Answer answer = put(policy("a"), policy("b").setExpectedVersion(3));
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(answer.failures).hasSize(1);
    assertThat(answer.failures.get(0).itemKind()).isEqualTo(ItemKinds.POLICY_PUT);
    assertThat(answer.failures.get(0).index()).isEqualTo(1);
  }

  // Listings.

  private PolicyState shown(PolicyKind kind, String name) throws InvalidProtocolBufferException {
    for (PolicyState state : listPolicies(ListPolicies.getDefaultInstance())) {
      if (state.getPolicy().getKind() == kind && state.getPolicy().getName().equals(name)) {
        return state;
      }
    }
    throw new AssertionError("no policy " + name);
  }

  private List<PolicyState> listPolicies(ListPolicies query) throws InvalidProtocolBufferException {
    UnsafeBuffer bytes = new UnsafeBuffer(query.toByteArray());
    PoliciesPage page = new PoliciesPage(bytes, 0, bytes.capacity());
    List<PolicyState> states = new ArrayList<>();
    do {
      page.next();
      while (page.fill(machine, nowMs, 10)) {
        continue;
      }
      byte[] result = new byte[page.length()];
      page.buffer().getBytes(0, result);
      states.addAll(Result.parseFrom(result).getPoliciesList());
    } while (!page.isLast());
    return states;
  }

  @Test
  void shouldListPolicies() throws InvalidProtocolBufferException {
    put(rate(limiter("api"), 10, 1_000, 1).setInFlightMax(7), policy("q").addLimiters("api"));
    put(prefix("q"));
    pause(PolicyKind.POLICY_QUEUE, "paused", 500);
    fill("q", 1, 2);
    claimNow("q");
    PolicyState limiter = shown(PolicyKind.POLICY_LIMITER, "api");
    assertThat(limiter.getHasRules()).isTrue();
    assertThat(limiter.getVersion()).isEqualTo(1);
    assertThat(limiter.getInFlight()).isEqualTo(1);
    assertThat(limiter.getNextStartMs()).isEqualTo(nowMs + 100);
    assertThat(limiter.getPolicy().getInFlightMax()).isEqualTo(7);
    PolicyState paused = shown(PolicyKind.POLICY_QUEUE, "paused");
    assertThat(paused.getHasRules()).isFalse();
    assertThat(paused.getPausedUntilMs()).isEqualTo(nowMs + 500);
    assertThat(listPolicies(ListPolicies.newBuilder().setPrefix("q").build())).hasSize(2);
    assertThat(
            listPolicies(
                ListPolicies.newBuilder()
                    .setHasKind(true)
                    .setKind(PolicyKind.POLICY_QUEUE)
                    .build()))
        .hasSize(2);
    assertThat(listPolicies(ListPolicies.newBuilder().setLimit(3).build())).hasSize(3);
  }

  private QueueStats stats(String queue) throws InvalidProtocolBufferException {
    UnsafeBuffer query =
        new UnsafeBuffer(ListQueues.newBuilder().addMatchExact(queue).build().toByteArray());
    QueuesPage page = new QueuesPage(query, 0, query.capacity());
    page.next();
    while (page.fill(machine, nowMs, 1_000)) {
      continue;
    }
    byte[] result = new byte[page.length()];
    page.buffer().getBytes(0, result);
    return Result.parseFrom(result).getQueues(0);
  }

  @Test
  void shouldShowInTheStatisticsWhatMayStart() throws InvalidProtocolBufferException {
    fill("q", 1, 9);
    assertThat(stats("q").getClaimable()).isEqualTo(9);
    put(rate(policy("q"), 10, 1_000, 4).setInFlightMax(6).addLimiters("api"));
    assertThat(stats("q").getClaimable()).isEqualTo(4);
    put(limiter("api").setInFlightMax(2));
    assertThat(stats("q").getClaimable()).isEqualTo(2);
    assertThat(apply(claim(BOB, "q").setLimit(9)).claimed).hasSize(2);
    QueueStats stats = stats("q");
    assertThat(stats.getInFlight()).isEqualTo(2);
    assertThat(stats.getAvailable()).isEqualTo(7);
    assertThat(stats.getClaimable()).isZero();
    assertThat(stats.getNextStartMs()).isZero();
    put(limiter("api"));
    assertThat(apply(claim(BOB, "q").setLimit(9)).claimed).hasSize(2);
    assertThat(stats("q").getNextStartMs()).isEqualTo(nowMs + 100);
    pause(PolicyKind.POLICY_PREFIX, "q", -1);
    assertThat(stats("q").getPausedUntilMs()).isEqualTo(Long.MAX_VALUE);
  }

  // Replies.

  /** The versions of the policies that a reply shows. */
  private List<Integer> versionsShown(Modify modify) {
    List<Integer> versions = new ArrayList<>();
    ResultSink sink =
        new ResultSink.Discarding() {
          @Override
          public void onPolicy(PolicyView policy) {
            versions.add(policy.version());
          }
        };
    UnsafeBuffer bytes = new UnsafeBuffer(modify.toByteArray());
    int length = bytes.capacity();
    int type = recordType(modify);
    int crc = new Crc32c().of(bytes, 0, length);
    machine.apply(type, bytes, 0, length, crc, nowMs, machine.sequence() + 1, sink);
    return versions;
  }

  @Test
  void shouldShowThePoliciesThatWereWrittenAlsoToARetry() {
    put(policy("a"), policy("a/x"));
    Modify modify =
        modify(ANN)
            .setIdentity(request(1, 1))
            .addPolicyPuts(policy("b"))
            .addPolicyPuts(policy("a"))
            .addPolicyDeletes(PolicyRef.newBuilder().setName("a/x"))
            .addPauses(Pause.newBuilder().setName("b").setPauseMs(-1))
            .addPauses(Pause.newBuilder().setName("none"))
            .build();
    assertThat(versionsShown(modify)).containsExactly(2, 2, 2, 0);
    assertThat(versionsShown(modify)).containsExactly(2, 2, 2, 0);
    assertThat(version(PolicyKind.POLICY_QUEUE, "b")).as("written once").isEqualTo(2);
  }
}
