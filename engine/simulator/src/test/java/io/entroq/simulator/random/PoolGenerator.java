package io.entroq.simulator.random;

import io.entroq.codec.wire.log.Fair;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyRef;
import java.util.List;

/**
 * Draws names of queues below each other, and what makes them pools and topics. It has dice of its
 * own, so that hunts without pools stay as they are.
 */
final class PoolGenerator {
  /** The first ones come far more often. */
  private static final List<String> NAMES =
      List.of(
          "p/x", "p", "p/y", "t", "p/x/1", "t/g", "p/x/2", "p/z", "t/h", "p/x/1/z", "p/err",
          "t/g/k", "p/", "p/y/1", "t/err");

  private static final List<String> GROUPS = List.of("g", "h", "k", "ünï", "g-2");
  private static final int MANY_GROUPS = 100;

  private final Dice dice;
  private final int names;

  PoolGenerator(long seed) {
    dice = new Dice(seed * 0x9E3779B97F4A7C15L + 9);
    names = dice.percent(50) ? 0 : dice.between(3, NAMES.size());
  }

  /** Whether the hunt has pools and topics. */
  boolean isUsed() {
    return names > 0;
  }

  /** Whether the next pause is that of a pool. */
  boolean isPausedNext() {
    return isUsed() && dice.percent(40);
  }

  /** The name of a queue that often is a pool, perhaps within another one. */
  String anyPool() {
    return dice.percent(40) ? "p" : "p/x";
  }

  /** The names of queues. */
  List<String> names() {
    return NAMES.subList(0, names);
  }

  /** Sometimes adds rules of pools, of their members, or of topics. */
  void addTo(Policy.Builder policy) {
    if (!isUsed() || policy.getKind() == PolicyKind.POLICY_LIMITER) {
      return;
    }
    if (dice.percent(30)) {
      policy.setWeight(dice.oneIntOf(0, 1, 2, 3, 8, 1_024)).setRank(dice.below(3));
    }
    if (policy.getKind() == PolicyKind.POLICY_QUEUE) {
      if (dice.percent(policy.getName().startsWith("t") ? 10 : 70)) {
        pool(policy);
      } else if (dice.percent(policy.getName().startsWith("t") ? 70 : 10)) {
        groups(policy);
      }
    }
  }

  /**
   * Sometimes a queue to insert into beside policies that are written: one whose groups they set or
   * delete.
   *
   * @return null if not
   */
  String topicWritten(Modify.Builder modify) {
    if (!isUsed() || dice.percent(50)) {
      return null;
    }
    for (Policy put : modify.getPolicyPutsList()) {
      if (put.getGroupsCount() > 0) {
        return put.getName();
      }
    }
    for (PolicyRef deleted : modify.getPolicyDeletesList()) {
      if (deleted.getKind() == PolicyKind.POLICY_QUEUE && deleted.getName().startsWith("t")) {
        return deleted.getName();
      }
    }
    return null;
  }

  private void pool(Policy.Builder policy) {
    policy.setFairValue(dice.between(Fair.FAIR_LEAST_IN_FLIGHT_VALUE, Fair.FAIR_STRICT_RANK_VALUE));
    policy.setPoolDepth(dice.oneIntOf(0, 0, 1, 2, 3));
    // Few tasks reach a pool within a pool.
    boolean isWithin = policy.getName().contains("/");
    if (dice.percent(isWithin ? 60 : 30)) {
      policy.setPoolInFlightMax(dice.between(1, isWithin ? 1 : 4));
    }
    if (dice.percent(25)) {
      policy.setPoolRatePeriodMs(dice.oneOf(1, 100, 1_000, 60_000));
      policy.setPoolRateLimit(dice.oneOf(1, 2, 7, 100));
      policy.setPoolRateBurst(dice.oneOf(0, 1, 2, 5));
    }
  }

  private void groups(Policy.Builder policy) {
    if (dice.oneIn(40)) {
      for (int i = 0; i < MANY_GROUPS; i++) {
        policy.addGroups("group-" + i);
      }
      return;
    }
    for (String group : GROUPS) {
      if (dice.percent(50)) {
        policy.addGroups(group);
      }
    }
  }
}
