package io.entroq.client.translation;

import io.entroq.api.Limiter;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.spi.PolicyNumbers;
import io.entroq.codec.wire.edge.Fair;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.Order;
import io.entroq.codec.wire.edge.Overflow;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyPause;
import io.entroq.codec.wire.edge.PolicyRef;
import io.entroq.codec.wire.edge.PolicyState;
import java.time.Duration;
import java.util.Optional;

/** Converts policies between messages and the API. Any thread. */
public final class WirePolicies {
  private static final int UNTIL_RESUMED = -1;
  private static final int MUST_NOT_EXIST = -1;
  private static final int ANY_VERSION = 0;

  private WirePolicies() {}

  /** Adds a write to a request. */
  static void add(Policies.Write write, ModifyRequest.Builder request) {
    Policies.Target target = write.target();
    if (write instanceof Policies.Put put) {
      request.addPolicyPuts(rules(put.rules()).setExpectedVersion(expected(put)));
    } else if (write instanceof Policies.Delete delete) {
      request.addPolicyDeletes(
          PolicyRef.newBuilder()
              .setKind(kind(target.kind()))
              .setName(target.name())
              .setExpectedVersion(delete.expected().orElse(ANY_VERSION)));
    } else if (write instanceof Policies.Pause pause) {
      request.addPauses(
          PolicyPause.newBuilder()
              .setKind(kind(target.kind()))
              .setName(target.name())
              .setPauseMs(pause.isUntilResumed() ? UNTIL_RESUMED : pause.length().toMillis()));
    }
  }

  private static int expected(Policies.Put put) {
    return put.expected()
        .map(version -> version == 0 ? MUST_NOT_EXIST : version)
        .orElse(ANY_VERSION);
  }

  private static Policy.Builder rules(Policies.Rules rules) {
    Policies.Target target = rules.target();
    Policy.Builder policy = Policy.newBuilder().setKind(kind(target.kind())).setName(target.name());
    if (rules instanceof Limiter limiter) {
      limiter.rate().ifPresent(rate -> rate(rate, policy));
      return policy.setInFlightMax(limiter.inFlight());
    }
    return rules((QueuePolicy) rules, policy);
  }

  private static Policy.Builder rules(QueuePolicy rules, Policy.Builder policy) {
    rules.rate().ifPresent(rate -> rate(rate, policy));
    rules
        .retry()
        .ifPresent(
            retry ->
                policy
                    .setRetryBaseMs(retry.base().toMillis())
                    .setRetryFactorMilli(PolicyNumbers.milli(retry.factor()))
                    .setRetryMaxMs(retry.max().toMillis())
                    .setRetryJitterMilli(PolicyNumbers.milli(retry.jitter())));
    rules
        .breaker()
        .ifPresent(
            breaker ->
                policy
                    .setBreakerFailures(breaker.failures())
                    .setBreakerPauseMs(breaker.pause().toMillis()));
    rules.pool().ifPresent(pool -> pool(pool, policy));
    return policy
        .setWeight(rules.weight() == 1 ? 0 : rules.weight())
        .setRank(rules.rank())
        .addAllGroups(rules.groups())
        .setInFlightMax(rules.inFlight())
        .addAllLimiters(rules.limiters())
        .setAttemptsMax(rules.attempts())
        .setLapsesMax(rules.lapses())
        .setDeadQueue(rules.deadQueue())
        .setTtlMs(rules.timeToLive().toMillis())
        .setExpiredQueue(rules.expiredQueue())
        .setTasksMax(rules.maxTasks())
        .setBytesMax(rules.maxBytes())
        .setOverflow(
            switch (rules.overflow()) {
              case REFUSE -> Overflow.OVERFLOW_REFUSE;
              case DROP_OLDEST -> Overflow.OVERFLOW_DROP_OLDEST;
            })
        .setOrder(
            switch (rules.order()) {
              case COIN -> Order.ORDER_COIN;
              case OLDEST -> Order.ORDER_OLDEST;
              case STRICT -> Order.ORDER_STRICT;
            })
        .setRememberIdsMs(rules.rememberIds().toMillis());
  }

  private static void pool(QueuePolicy.Pool pool, Policy.Builder policy) {
    policy
        .setFair(
            switch (pool.fairness()) {
              case LEAST_IN_FLIGHT -> Fair.FAIR_LEAST_IN_FLIGHT;
              case ROUND_ROBIN -> Fair.FAIR_ROUND_ROBIN;
              case STRICT_RANK -> Fair.FAIR_STRICT_RANK;
            })
        .setPoolDepth(pool.depth())
        .setPoolInFlightMax(pool.inFlight());
    pool.rate()
        .ifPresent(
            rate ->
                policy
                    .setPoolRateLimit(rate.limit())
                    .setPoolRatePeriodMs(rate.period().toMillis())
                    .setPoolRateBurst(rate.burst()));
  }

  private static void rate(QueuePolicy.Rate rate, Policy.Builder policy) {
    policy
        .setRateLimit(rate.limit())
        .setRatePeriodMs(rate.period().toMillis())
        .setRateBurst(rate.burst());
  }

  /** The kind of an entry in messages. */
  static PolicyKind kind(Policies.Kind kind) {
    return switch (kind) {
      case QUEUE -> PolicyKind.POLICY_QUEUE;
      case PREFIX -> PolicyKind.POLICY_PREFIX;
      case LIMITER -> PolicyKind.POLICY_LIMITER;
    };
  }

  /** The entry of this kind and name. */
  static Policies.Target target(PolicyKind kind, String name) {
    return switch (kind) {
      case POLICY_PREFIX -> Policies.Target.prefix(name);
      case POLICY_LIMITER -> Policies.Target.limiter(name);
      default -> Policies.Target.queue(name);
    };
  }

  /** The entry that a message holds. */
  public static Policies.Entry entry(PolicyState state) {
    Policy policy = state.getPolicy();
    return new Policies.Entry(
        target(policy.getKind(), policy.getName()),
        state.getHasRules() ? Optional.of(rules(policy)) : Optional.empty(),
        state.getVersion(),
        PolicyNumbers.pausedUntil(state.getPausedUntilMs()),
        state.getInFlight(),
        PolicyNumbers.time(state.getNextStartMs()));
  }

  private static Policies.Rules rules(Policy policy) {
    if (policy.getKind() == PolicyKind.POLICY_LIMITER) {
      return new Limiter(policy.getName(), rate(policy), policy.getInFlightMax());
    }
    return new QueuePolicy(
        policy.getName(),
        policy.getKind() == PolicyKind.POLICY_PREFIX,
        rate(policy),
        policy.getInFlightMax(),
        policy.getLimitersList(),
        PolicyNumbers.retry(
            policy.getRetryBaseMs(),
            policy.getRetryFactorMilli(),
            policy.getRetryMaxMs(),
            policy.getRetryJitterMilli()),
        policy.getAttemptsMax(),
        policy.getLapsesMax(),
        policy.getDeadQueue(),
        PolicyNumbers.breaker(policy.getBreakerFailures(), policy.getBreakerPauseMs()),
        Duration.ofMillis(policy.getTtlMs()),
        policy.getExpiredQueue(),
        policy.getTasksMax(),
        policy.getBytesMax(),
        policy.getOverflow() == Overflow.OVERFLOW_DROP_OLDEST
            ? QueuePolicy.Overflow.DROP_OLDEST
            : QueuePolicy.Overflow.REFUSE,
        order(policy.getOrder()),
        Duration.ofMillis(policy.getRememberIdsMs()),
        pool(policy),
        Math.max(1, policy.getWeight()),
        policy.getRank(),
        policy.getGroupsList());
  }

  private static Optional<QueuePolicy.Pool> pool(Policy policy) {
    QueuePolicy.Fairness fairness =
        switch (policy.getFair()) {
          case FAIR_LEAST_IN_FLIGHT -> QueuePolicy.Fairness.LEAST_IN_FLIGHT;
          case FAIR_ROUND_ROBIN -> QueuePolicy.Fairness.ROUND_ROBIN;
          case FAIR_STRICT_RANK -> QueuePolicy.Fairness.STRICT_RANK;
          default -> null;
        };
    return fairness == null
        ? Optional.empty()
        : Optional.of(
            new QueuePolicy.Pool(
                fairness,
                Math.max(1, policy.getPoolDepth()),
                policy.getPoolInFlightMax(),
                PolicyNumbers.rate(
                    policy.getPoolRateLimit(),
                    policy.getPoolRatePeriodMs(),
                    policy.getPoolRateBurst())));
  }

  private static QueuePolicy.Order order(Order order) {
    return switch (order) {
      case ORDER_OLDEST -> QueuePolicy.Order.OLDEST;
      case ORDER_STRICT -> QueuePolicy.Order.STRICT;
      default -> QueuePolicy.Order.COIN;
    };
  }

  private static Optional<QueuePolicy.Rate> rate(Policy policy) {
    return PolicyNumbers.rate(
        policy.getRateLimit(), policy.getRatePeriodMs(), policy.getRateBurst());
  }
}
