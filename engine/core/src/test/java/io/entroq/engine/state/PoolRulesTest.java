package io.entroq.engine.state;

import static io.entroq.codec.wire.log.Fair.FAIR_LEAST_IN_FLIGHT;
import static io.entroq.codec.wire.log.Fair.FAIR_ROUND_ROBIN;
import static io.entroq.codec.wire.log.Fair.FAIR_STRICT_RANK;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Pause;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyRef;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolRulesTest extends PoolTestBase {

  // Whose turn it is.

  @Test
  void shouldTakeTurnsByWeight() {
    put(
        pool("p", FAIR_ROUND_ROBIN).setOrder(Order.ORDER_OLDEST),
        member("p/a", 2),
        member("p/b", 1));
    tasks("p/a", 100);
    tasks("p/b", 100);
    tasks("p", 100);
    List<String> starts = starts(40, "p");
    assertThat(Collections.frequency(starts, "p/a")).isEqualTo(20);
    assertThat(Collections.frequency(starts, "p/b")).isEqualTo(10);
    assertThat(Collections.frequency(starts, "p")).isEqualTo(10);
  }

  @Test
  void shouldStartWhereTheFewestAreInFlightForTheirWeight() {
    put(pool("p", FAIR_LEAST_IN_FLIGHT), member("p/a", 3), member("p/b", 1));
    tasks("p/a", 50);
    tasks("p/b", 50);
    starts(8, "p");
    assertThat(inFlight("p/a")).isEqualTo(6);
    assertThat(inFlight("p/b")).isEqualTo(2);
  }

  @Test
  void shouldStartTheHighestRankFirst() {
    put(
        pool("p", FAIR_STRICT_RANK),
        member("p/a", 1).setRank(1),
        member("p/b", 1).setRank(9),
        member("p/c", 1).setRank(9));
    tasks("p", 2);
    tasks("p/a", 2);
    tasks("p/b", 2);
    tasks("p/c", 2);
    List<String> starts = starts(8, "p");
    assertThat(starts.subList(0, 4)).containsExactlyInAnyOrder("p/b", "p/c", "p/b", "p/c");
    assertThat(starts.subList(4, 6)).containsExactly("p/a", "p/a");
    assertThat(starts.subList(6, 8)).containsExactly("p", "p");
  }

  /** A member that starts at the time of the pool would be first whenever it comes back. */
  @Test
  void shouldNotStarveOthersByOneThatComesAndGoes() {
    put(pool("p", FAIR_ROUND_ROBIN));
    for (int i = 0; i < 5; i++) {
      tasks("p/" + i, 50);
    }
    int ofTheOne = 0;
    tasks("p/one", 1);
    for (int i = 0; i < 60; i++) {
      Shot got = take("p");
      delete(got);
      if (got.queue().equals("p/one")) {
        ofTheOne++;
        tasks("p/one", 1);
      }
    }
    assertThat(ofTheOne).isBetween(9, 12);
  }

  @Test
  void shouldChooseAnewForEachTaskOfAClaim() {
    put(pool("p", FAIR_ROUND_ROBIN));
    tasks("p/a", 3);
    tasks("p/b", 3);
    List<Shot> got = apply(claim(BOB, "p").setLimit(4)).claimed;
    assertThat(got).extracting(Shot::queue).containsOnly("p/a", "p/b");
    assertThat(got).filteredOn(task -> task.queue().equals("p/a")).hasSize(2);
  }

  @Test
  void shouldClaimFromThePoolWithinAModify() {
    put(pool("p", FAIR_ROUND_ROBIN));
    Answer answer =
        apply(
            modify(ANN)
                .addInserts(insert("p/a", 900, nowMs))
                .setThenClaim(Claim.newBuilder().addQueues("p").setLeaseMs(LEASE_MS)));
    assertThat(answer.claimed).extracting(Shot::queue).containsExactly("p/a");
  }

  // FIFO groups.

  @Test
  void shouldRunOneTaskOfAKeyAtATimeAndKeepItsOrder() {
    put(
        pool("p", FAIR_LEAST_IN_FLIGHT),
        prefix("p/").setInFlightMax(1).setOrder(Order.ORDER_STRICT));
    tasks("p/a", 50);
    long second = tasks("p/b", 1);
    Shot first = take("p");
    Shot other = take("p");
    assertThat(List.of(first.queue(), other.queue())).containsExactlyInAnyOrder("p/a", "p/b");
    assertThat(take("p")).as("both keys are busy").isNull();
    Shot ofA = first.queue().equals("p/a") ? first : other;
    Shot ofB = first.queue().equals("p/a") ? other : first;
    fail(ofA, 500);
    assertThat(take("p")).as("a failed task blocks its key").isNull();
    delete(ofB);
    assertThat(find(second)).isNull();
    tasks("p/b", 1);
    assertThat(take("p").queue()).as("and no other").isEqualTo("p/b");
    ticks(500);
    assertThat(take("p").id()).as("it goes on first").isEqualTo(ofA.id());
  }

  // What naive pools get wrong.

  /** 1: A lease that ends in a member that is open frees a place of the pool. */
  @Test
  void shouldFollowALeaseEndOfAMemberThatIsOpen() {
    put(pool("p", FAIR_LEAST_IN_FLIGHT).setPoolInFlightMax(1));
    tasks("p/a", 2);
    assertThat(take(100, "p").queue()).isEqualTo("p/a");
    tasks("p/b", 1);
    long claim = park("p");
    ticks(99);
    assertThat(servedFrom(claim)).isNull();
    ticks(1);
    assertThat(servedFrom(claim)).isNotNull();
  }

  /** 2: A claim that is parked on a member waits for the pool, too. */
  @Test
  void shouldServeAClaimOnASiblingWhenThePoolOpens() {
    put(pool("p", FAIR_LEAST_IN_FLIGHT).setPoolInFlightMax(1));
    tasks("p/x", 1);
    tasks("p/y", 1);
    Shot got = take("p/x");
    long claim = park("p/y");
    delete(got);
    assertThat(servedFrom(claim)).isEqualTo("p/y");
  }

  /** 3: What changes below changes all pools above. */
  @Test
  void shouldCountInAllPoolsAbove() {
    put(pool("p", FAIR_ROUND_ROBIN).setPoolDepth(2).setPoolInFlightMax(2));
    tasks("p/a/x", 9);
    tasks("p/a/y", 9);
    tasks("p/b/x", 9);
    assertThat(starts(3, "p/a").subList(0, 3)).endsWith((String) null).doesNotHaveDuplicates();
    assertThat(take("p/b/x")).as("its own pools are full").isNull();
    assertThat(take("p")).isNull();
  }

  /** 4: Leases end below a pool that is paused, and count above it. */
  @Test
  void shouldFollowLeaseEndsBelowAPause() {
    put(pool("p", FAIR_ROUND_ROBIN).setPoolDepth(2).setPoolInFlightMax(1));
    tasks("p/a/x", 1);
    tasks("p/b", 1);
    assertThat(take(50, "p/a").queue()).isEqualTo("p/a/x");
    apply(modify(ANN).addPauses(Pause.newBuilder().setName("p/a").setPauseMs(-1)));
    long claim = park("p");
    ticks(50);
    assertThat(servedFrom(claim)).isEqualTo("p/b");
  }

  /** 6: A policy of a prefix wakes a claim on the pool. */
  @Test
  void shouldFollowAPolicyOfAPrefix() {
    put(pool("p", FAIR_ROUND_ROBIN), prefix("p/").setInFlightMax(1));
    tasks("p/a", 3);
    take("p");
    long claim = park("p");
    put(prefix("p/").setInFlightMax(2));
    assertThat(servedFrom(claim)).isEqualTo("p/a");
    long other = park("p");
    apply(
        modify(ANN)
            .addPolicyDeletes(
                PolicyRef.newBuilder().setKind(PolicyKind.POLICY_PREFIX).setName("p/")));
    assertThat(servedFrom(other)).isEqualTo("p/a");
  }

  /** 7: A queue becomes a pool, and stops being one, with work and claims in it. */
  @Test
  void shouldMakeAQueueAPoolAndBack() {
    tasks("p/a", 2);
    long claim = park("p");
    put(pool("p", FAIR_ROUND_ROBIN));
    assertThat(servedFrom(claim)).isEqualTo("p/a");
    apply(modify(ANN).addPolicyDeletes(PolicyRef.newBuilder().setName("p")));
    long alone = park("p");
    assertThat(take("p/a")).isNotNull();
    tasks("p", 1);
    assertThat(servedFrom(alone)).isEqualTo("p");
  }

  /** 8: Equal members are chosen in the same order after a load. */
  @Test
  void shouldKeepItsOrderInAnImage() {
    put(pool("p", FAIR_ROUND_ROBIN).setPoolRateLimit(1).setPoolRatePeriodMs(10));
    for (int i = 0; i < 6; i++) {
      tasks("p/" + i, 3);
    }
    take("p");
    try (StateMachine copy = reloaded()) {
      for (int i = 0; i < 9; i++) {
        nowMs += 10;
        applyToBoth(copy, io.entroq.codec.wire.log.Tick.getDefaultInstance());
        applyToBoth(copy, claim(BOB, "p").build());
        assertThat(said.answers.get(0).claimed).hasSize(1);
      }
    }
  }

  /** 9: Members that share a limiter that closes keep their turns, and others go on. */
  @Test
  void shouldLeaveOutMembersWhoseLimiterIsClosed() {
    put(
        Policy.newBuilder()
            .setKind(PolicyKind.POLICY_LIMITER)
            .setName("api")
            .setRateLimit(1)
            .setRatePeriodMs(100),
        pool("p", FAIR_ROUND_ROBIN),
        prefix("p/").addLimiters("api"));
    for (String name : List.of("p/a", "p/b", "p/c")) {
      tasks(name, 2);
    }
    tasks("p", 1);
    List<String> starts = starts(3, "p");
    assertThat(starts.get(2)).as("one of the three, then that without limiter").isNull();
    assertThat(starts).contains("p");
    String first = starts.get(0).equals("p") ? starts.get(1) : starts.get(0);
    long second = park("p");
    ticks(100);
    String next = servedFrom(second);
    long third = park("p");
    ticks(100);
    assertThat(List.of(first, next, servedFrom(third)))
        .containsExactlyInAnyOrder("p/a", "p/b", "p/c");
  }

  @Test
  void shouldCountTasksInFlightInASharedLimiter() {
    put(
        Policy.newBuilder().setKind(PolicyKind.POLICY_LIMITER).setName("api").setInFlightMax(2),
        pool("p", FAIR_ROUND_ROBIN),
        prefix("p/").addLimiters("api"));
    tasks("p/a", 2);
    tasks("p/b", 2);
    Shot got = take("p");
    assertThat(take("p/b")).isNotNull();
    long claim = park("p/a");
    long other = park("p");
    delete(got);
    assertThat(servedFrom(claim)).as("the oldest").isEqualTo("p/a");
    assertThat(servedFrom(other)).isNull();
  }

  // Claims that wait.

  @Test
  void shouldServeTheOldestClaimOnThePoolOrAMember() {
    put(pool("p", FAIR_ROUND_ROBIN));
    long first = park("p");
    long second = park("p/a");
    long third = park("other", "p");
    tasks("p/a", 1);
    assertThat(servedFrom(first)).isEqualTo("p/a");
    tasks("p/a", 1);
    assertThat(servedFrom(second)).isEqualTo("p/a");
    tasks("p/err", 1);
    assertThat(servedFrom(third)).as("its dead tasks are not its").isNull();
    tasks("p/b", 1);
    assertThat(servedFrom(third)).isEqualTo("p/b");
  }

  @Test
  void shouldServeWhenTheRateOfThePoolPermits() {
    put(pool("p", FAIR_ROUND_ROBIN).setPoolRateLimit(1).setPoolRatePeriodMs(40));
    tasks("p/a", 1);
    tasks("p/b", 1);
    take("p/a");
    long claim = park("p/b");
    ticks(39);
    assertThat(servedFrom(claim)).isNull();
    ticks(1);
    assertThat(servedFrom(claim)).isEqualTo("p/b");
  }

  @Test
  void shouldPauseAllMembersByThePauseOfThePool() {
    put(pool("p", FAIR_ROUND_ROBIN));
    tasks("p/a", 1);
    apply(modify(ANN).addPauses(Pause.newBuilder().setName("p").setPauseMs(-1)));
    assertThat(take("p/a")).isNull();
    long claim = park("p");
    apply(modify(ANN).addPauses(Pause.newBuilder().setName("p").setPauseMs(0)));
    assertThat(servedFrom(claim)).isEqualTo("p/a");
  }

  @Test
  void shouldTakeNoNameWithAnEmptySegmentForAMember() {
    put(pool("p", FAIR_ROUND_ROBIN));
    tasks("p/", 1);
    tasks("p/a/b", 1);
    assertThat(take("p")).isNull();
    assertThat(take("p/")).isNotNull();
  }

  // Names and depths.

  @Test
  void shouldNestPoolsToTheirDepthAndByTheirOwnPolicies() {
    put(pool("p", FAIR_ROUND_ROBIN).setPoolDepth(2), pool("p/a/b", FAIR_ROUND_ROBIN));
    tasks("p/x/y", 1);
    tasks("p/a/b/c", 1);
    tasks("p/x/y/z", 1);
    assertThat(starts(3, "p")).containsExactlyInAnyOrder("p/x/y", "p/a/b/c", null);
  }

  @Test
  void shouldRefuseFourLevelsOfPools() {
    put(pool("p", FAIR_ROUND_ROBIN).setPoolDepth(3));
    Answer refused = put(member("q", 1), pool("p/a/b/c", FAIR_ROUND_ROBIN));
    assertThat(refused.code).isEqualTo(ResultCodes.POOL_TOO_DEEP);
    assertThat(refused.item).isEqualTo(new Answer.Item(ItemKinds.POLICY_PUT, 1));
    assertThat(put(pool("p/a", FAIR_ROUND_ROBIN).setPoolDepth(3)).code)
        .isEqualTo(ResultCodes.POOL_TOO_DEEP);
    assertThat(put(pool("p/a", FAIR_ROUND_ROBIN).setPoolDepth(2)).code).isEqualTo(ResultCodes.OK);
    assertThat(put(pool("p/err", FAIR_ROUND_ROBIN).setPoolDepth(3)).code).isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldRefuseADeleteThatMakesPoolsTooDeep() {
    put(
        pool("p", FAIR_ROUND_ROBIN).setPoolDepth(3),
        pool("p/a", FAIR_ROUND_ROBIN),
        pool("p/a/b/c", FAIR_ROUND_ROBIN));
    Answer refused = apply(modify(ANN).addPolicyDeletes(PolicyRef.newBuilder().setName("p/a")));
    assertThat(refused.code).isEqualTo(ResultCodes.POOL_TOO_DEEP);
    assertThat(refused.item).isEqualTo(new Answer.Item(ItemKinds.POLICY_DELETE, 0));
    assertThat(put(pool("p", FAIR_ROUND_ROBIN)).code).isEqualTo(ResultCodes.OK);
    assertThat(apply(modify(ANN).addPolicyDeletes(PolicyRef.newBuilder().setName("p/a"))).code)
        .isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldForgetMembersThatAreEmpty() {
    put(pool("p", FAIR_ROUND_ROBIN).setPoolDepth(2));
    delete(takeOnly("p/a/x"));
    assertThat(machine.stores.queues.size()).as("the pool that has a policy").isEqualTo(1);
    assertThat(machine.stores.ruled.pools().size()).isEqualTo(2);
    apply(modify(ANN).addPolicyDeletes(PolicyRef.newBuilder().setName("p")));
    assertThat(machine.stores.queues.size()).isZero();
    assertThat(machine.stores.ruled.pools().size()).isZero();
  }

  private Shot takeOnly(String queue) {
    tasks(queue, 1);
    return take("p");
  }

  @Test
  void shouldSplitStartsEvenlyWhereAllHaveWork() {
    put(pool("p", FAIR_LEAST_IN_FLIGHT));
    for (int i = 0; i < 10; i++) {
      tasks("p/" + i, 10);
    }
    List<String> starts = starts(50, "p");
    for (int i = 0; i < 10; i++) {
      assertThat(Collections.frequency(starts, "p/" + i)).isEqualTo(5);
    }
  }
}
