package io.entroq.engine.call;

import io.entroq.api.Limiter;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.spi.PolicyNumbers;
import io.entroq.codec.message.Fairs;
import io.entroq.codec.message.Orders;
import io.entroq.codec.message.Overflows;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.codec.result.PolicyStateDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.agrona.DirectBuffer;

/** Decodes policies in results. */
final class PolicyResults {
  private final DirectBuffer buffer;
  private final PolicyDecoder policy;

  private PolicyResults(DirectBuffer buffer, PolicyDecoder policy) {
    this.buffer = buffer;
    this.policy = policy;
  }

  /**
   * @param buffer that of the result
   */
  static Policies.Entry entry(DirectBuffer buffer, PolicyStateDecoder state) {
    PolicyResults rules = new PolicyResults(buffer, state.policy());
    return new Policies.Entry(
        rules.target(),
        state.hasRules() ? Optional.of(rules.rules()) : Optional.empty(),
        state.version(),
        PolicyNumbers.pausedUntil(state.pausedUntilMs()),
        state.inFlight(),
        PolicyNumbers.time(state.nextStartMs()));
  }

  /**
   * What an effect says, which is not whether there are rules.
   *
   * @param buffer that of the policy
   */
  static Policies.Entry entry(
      DirectBuffer buffer, PolicyDecoder policy, int version, long pausedUntilMs) {
    PolicyResults rules = new PolicyResults(buffer, policy);
    return new Policies.Entry(
        rules.target(),
        rules.hasAny() ? Optional.of(rules.rules()) : Optional.empty(),
        version,
        PolicyNumbers.pausedUntil(pausedUntilMs),
        0,
        Optional.empty());
  }

  private boolean hasAny() {
    Policies.Target target = target();
    return switch (target.kind()) {
      case LIMITER -> policy.rateLimit() != 0 || policy.inFlightMax() != 0;
      case QUEUE -> !rules().equals(QueuePolicy.of(target.name()));
      case PREFIX -> !rules().equals(QueuePolicy.prefix(target.name()));
    };
  }

  private Policies.Target target() {
    String name = name();
    return switch (policy.kind()) {
      case PolicyKinds.QUEUE -> Policies.Target.queue(name);
      case PolicyKinds.PREFIX -> Policies.Target.prefix(name);
      default -> Policies.Target.limiter(name);
    };
  }

  private String name() {
    return text(policy.nameOffset(), policy.nameLength());
  }

  private Policies.Rules rules() {
    if (policy.kind() == PolicyKinds.LIMITER) {
      return new Limiter(name(), rate(), policy.inFlightMax());
    }
    return new QueuePolicy(
        name(),
        policy.kind() == PolicyKinds.PREFIX,
        rate(),
        policy.inFlightMax(),
        limiters(),
        PolicyNumbers.retry(
            policy.retryBaseMs(),
            policy.retryFactorMilli(),
            policy.retryMaxMs(),
            policy.retryJitterMilli()),
        policy.attemptsMax(),
        policy.lapsesMax(),
        text(policy.deadQueueOffset(), policy.deadQueueLength()),
        PolicyNumbers.breaker(policy.breakerFailures(), policy.breakerPauseMs()),
        Duration.ofMillis(policy.ttlMs()),
        text(policy.expiredQueueOffset(), policy.expiredQueueLength()),
        policy.tasksMax(),
        policy.bytesMax(),
        policy.overflow() == Overflows.DROP_OLDEST
            ? QueuePolicy.Overflow.DROP_OLDEST
            : QueuePolicy.Overflow.REFUSE,
        order(),
        Duration.ofMillis(policy.rememberIdsMs()),
        pool(),
        Math.max(1, policy.weight()),
        policy.rank(),
        groups());
  }

  private Optional<QueuePolicy.Rate> rate() {
    return PolicyNumbers.rate(policy.rateLimit(), policy.ratePeriodMs(), policy.rateBurst());
  }

  private Optional<QueuePolicy.Pool> pool() {
    QueuePolicy.Fairness fairness =
        switch (policy.fair()) {
          case Fairs.LEAST_IN_FLIGHT -> QueuePolicy.Fairness.LEAST_IN_FLIGHT;
          case Fairs.ROUND_ROBIN -> QueuePolicy.Fairness.ROUND_ROBIN;
          case Fairs.STRICT_RANK -> QueuePolicy.Fairness.STRICT_RANK;
          default -> null;
        };
    return fairness == null
        ? Optional.empty()
        : Optional.of(
            new QueuePolicy.Pool(
                fairness,
                Math.max(1, policy.poolDepth()),
                policy.poolInFlightMax(),
                PolicyNumbers.rate(
                    policy.poolRateLimit(), policy.poolRatePeriodMs(), policy.poolRateBurst())));
  }

  private List<String> groups() {
    List<String> names = new ArrayList<>(policy.groupCount());
    for (int i = 0; i < policy.groupCount(); i++) {
      names.add(text(policy.groupOffset(i), policy.groupLength(i)));
    }
    return names;
  }

  private List<String> limiters() {
    List<String> names = new ArrayList<>(policy.limiterCount());
    for (int i = 0; i < policy.limiterCount(); i++) {
      names.add(text(policy.limiterOffset(i), policy.limiterLength(i)));
    }
    return names;
  }

  private QueuePolicy.Order order() {
    return switch (policy.order()) {
      case Orders.OLDEST -> QueuePolicy.Order.OLDEST;
      case Orders.STRICT -> QueuePolicy.Order.STRICT;
      default -> QueuePolicy.Order.COIN;
    };
  }

  private String text(int offset, int length) {
    byte[] utf8 = new byte[length];
    buffer.getBytes(offset, utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
