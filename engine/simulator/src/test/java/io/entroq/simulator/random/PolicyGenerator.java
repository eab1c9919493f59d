package io.entroq.simulator.random;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Overflow;
import io.entroq.codec.wire.log.Pause;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyRef;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;

/** Draws policies, limiters and pauses of few names, and what tasks have because of them. */
final class PolicyGenerator {
  private static final int LIMITERS = 3;
  private static final int VERSIONS = 4;
  private static final int POOLS_PERCENT = 3;

  private final Dice dice;
  private final RandomContents contents;
  private final PoolGenerator pools;

  /** How many of a hundred modifies write policies. */
  private final int percent;

  PolicyGenerator(Dice dice, RandomContents contents, PoolGenerator pools) {
    this.dice = dice;
    this.contents = contents;
    this.pools = pools;
    int some = dice.oneIntOf(0, 0, 1, 5, 15);
    this.percent = some == 0 && pools.isUsed() ? POOLS_PERCENT : some;
  }

  /** Whether the hunt has any. */
  boolean isUsed() {
    return percent > 0;
  }

  /** Whether there are copies of inserts. */
  boolean hasTopics() {
    return pools.isUsed();
  }

  /** Whether the next modify writes policies. */
  boolean isNext() {
    return percent > 0 && dice.percent(percent);
  }

  /** Adds policies, deletes and pauses to a modify. */
  Modify.Builder addTo(Modify.Builder modify) {
    for (int i = dice.skewedBelow(3) + 1; i > 0; i--) {
      switch (dice.below(7)) {
        case 0 -> modify.addPolicyDeletes(reference());
        case 1, 2 -> modify.addPauses(pause());
        default -> modify.addPolicyPuts(policy());
      }
    }
    if (dice.oneIn(6)) {
      modify.setPoliciesMax(dice.oneIntOf(1, 2, 3, 6, 1_000));
    }
    return modify;
  }

  /** Sometimes the topic into which an insert beside the policies goes; null if not. */
  String topicWritten(Modify.Builder modify) {
    return pools.topicWritten(modify);
  }

  private PolicyRef reference() {
    PolicyKind kind = kind();
    PolicyRef.Builder ref = PolicyRef.newBuilder().setKind(kind).setName(name(kind));
    return (dice.percent(75) ? ref : ref.setExpectedVersion(dice.between(1, VERSIONS))).build();
  }

  private Pause pause() {
    PolicyKind kind = kind();
    long pauseMs = dice.percent(50) ? 0 : dice.oneIn(8) ? -1 : 1L + dice.skewedBelow(3_000);
    if (dice.oneIn(50)) {
      pauseMs = Long.MAX_VALUE;
    }
    boolean isOfPool = kind == PolicyKind.POLICY_QUEUE && pools.isPausedNext();
    String name = isOfPool ? pools.anyPool() : name(kind);
    return Pause.newBuilder().setKind(kind).setName(name).setPauseMs(pauseMs).build();
  }

  private PolicyKind kind() {
    return switch (dice.below(5)) {
      case 0 -> PolicyKind.POLICY_LIMITER;
      case 1 -> PolicyKind.POLICY_PREFIX;
      default -> PolicyKind.POLICY_QUEUE;
    };
  }

  private String name(PolicyKind kind) {
    if (kind == PolicyKind.POLICY_LIMITER) {
      return limiter(dice.below(LIMITERS));
    }
    String queue = contents.queue();
    return kind == PolicyKind.POLICY_PREFIX
        ? queue.substring(0, queue.offsetByCodePoints(0, 1 + dice.below(2) % codePoints(queue)))
        : queue;
  }

  private static int codePoints(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String limiter(int number) {
    return "limiter-" + number;
  }

  private Policy policy() {
    PolicyKind kind = kind();
    Policy.Builder policy = Policy.newBuilder().setKind(kind).setName(name(kind));
    if (dice.oneIn(4)) {
      policy.setExpectedVersion(dice.between(-1, VERSIONS));
    }
    if (dice.percent(40)) {
      rate(policy);
    }
    if (dice.percent(40)) {
      policy.setInFlightMax(dice.between(1, 3));
    }
    if (kind != PolicyKind.POLICY_LIMITER) {
      queueRules(policy);
    }
    pools.addTo(policy);
    return policy.build();
  }

  private void rate(Policy.Builder policy) {
    policy.setRatePeriodMs(dice.oneOf(1, 7, 100, 1_000, 60_000, 86_400_000));
    long most = policy.getRatePeriodMs() * 1_000;
    policy.setRateLimit(Math.min(most, dice.oneOf(1, 2, 3, 7, 100, 1_000_000)));
    policy.setRateBurst(dice.oneOf(0, 1, 2, 5, 1_000_000));
  }

  private void queueRules(Policy.Builder policy) {
    for (int i = 0; i < LIMITERS && dice.percent(35); i++) {
      policy.addLimiters(limiter(i));
    }
    if (dice.percent(50)) {
      retry(policy);
    }
    if (dice.oneIn(8)) {
      policy.setBreakerFailures(dice.between(1, 3)).setBreakerPauseMs(1L + dice.skewedBelow(5_000));
    }
    if (dice.oneIn(5)) {
      policy.setTtlMs(1L + dice.skewedBelow(20_000));
    }
    if (dice.oneIn(6)) {
      otherQueue(policy, true);
    }
    if (dice.oneIn(4)) {
      size(policy);
    }
    if (dice.percent(40)) {
      policy.setOrder(dice.percent(50) ? Order.ORDER_OLDEST : Order.ORDER_STRICT);
      if (policy.getOrder() == Order.ORDER_STRICT) {
        policy.setInFlightMax(1);
      }
    }
    if (dice.oneIn(5)) {
      policy.setRememberIdsMs(1L + dice.skewedBelow(10_000));
    }
  }

  private void retry(Policy.Builder policy) {
    policy.setRetryBaseMs(dice.oneOf(0, 1, 10, 1_000, 60_000, 31_622_400_000L));
    policy.setRetryFactorMilli(dice.oneIntOf(0, 0, 1_000, 1_500, 3_000, 100_000));
    policy.setRetryMaxMs(dice.oneOf(0, 0, 500, 10_000, 31_622_400_000L));
    policy.setRetryJitterMilli(dice.oneIntOf(0, 0, 100, 1_000));
    policy.setAttemptsMax(dice.oneIntOf(0, 1, 2, 3, 5));
    policy.setLapsesMax(dice.oneIntOf(0, 0, 1, 2));
    if (dice.percent(30)) {
      otherQueue(policy, false);
    }
  }

  private void otherQueue(Policy.Builder policy, boolean isForExpired) {
    String queue = dice.percent(50) ? "dead" : contents.queue();
    if (queue.equals(policy.getName())) {
      return;
    }
    if (isForExpired) {
      policy.setExpiredQueue(queue);
    } else {
      policy.setDeadQueue(queue);
    }
  }

  private void size(Policy.Builder policy) {
    if (dice.percent(60)) {
      policy.setTasksMax(dice.oneOf(1, 2, 5, 20));
    } else {
      policy.setBytesMax(dice.oneOf(1, 50, 200, 2_000));
    }
    if (dice.percent(50)) {
      policy.setOverflow(Overflow.OVERFLOW_DROP_OLDEST);
    }
  }

  /** Sometimes adds when a task expires, and its trace. */
  TaskData withAttributes(TaskData data) {
    if (percent == 0 || !dice.oneIn(8)) {
      return data;
    }
    TaskData.Builder more = data.toBuilder();
    if (dice.percent(70)) {
      more.setTtlMs(dice.oneIn(6) ? -1 : dice.oneIn(20) ? Long.MAX_VALUE : 1L + time());
    }
    if (dice.percent(50)) {
      more.setTrace(ByteString.copyFrom(dice.bytes(dice.between(1, 64))));
    }
    return more.build();
  }

  private int time() {
    return dice.skewedBelow(10_000);
  }

  /** A failure of a task. */
  Fail fail(TaskRef task, String err) {
    Fail.Builder fail =
        Fail.newBuilder()
            .setId(task.getId())
            .setVersion(task.getVersion())
            .setQueue(dice.percent(70) ? task.getQueue() : "")
            .setErr(err);
    if (dice.oneIn(4)) {
      fail.setHasDelay(true).setDelayMs(dice.oneIn(4) ? 0 : time());
    }
    return fail.build();
  }
}
