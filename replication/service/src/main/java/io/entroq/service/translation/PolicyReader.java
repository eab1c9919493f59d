package io.entroq.service.translation;

import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.result.PolicyStateDecoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyState;

/** Converts policies for responses. Any thread. */
final class PolicyReader {
  private final TextReader texts;

  /** Reads a result while it is valid. */
  PolicyReader(ResultDecoder result) {
    this(new TextReader(result));
  }

  PolicyReader(TextReader texts) {
    this.texts = texts;
  }

  PolicyState state(PolicyStateDecoder state) {
    return PolicyState.newBuilder()
        .setPolicy(policy(state.policy()))
        .setHasRules(state.hasRules())
        .setVersion(state.version())
        .setPausedUntilMs(state.pausedUntilMs())
        .setInFlight(state.inFlight())
        .setNextStartMs(state.nextStartMs())
        .build();
  }

  Policy policy(PolicyDecoder policy) {
    Policy.Builder rules =
        Policy.newBuilder()
            .setKindValue(policy.kind())
            .setName(texts.text(policy.nameOffset(), policy.nameLength()))
            .setRateLimit(policy.rateLimit())
            .setRatePeriodMs(policy.ratePeriodMs())
            .setRateBurst(policy.rateBurst())
            .setInFlightMax(policy.inFlightMax())
            .setRetryBaseMs(policy.retryBaseMs())
            .setRetryFactorMilli(policy.retryFactorMilli())
            .setRetryMaxMs(policy.retryMaxMs())
            .setRetryJitterMilli(policy.retryJitterMilli())
            .setAttemptsMax(policy.attemptsMax())
            .setLapsesMax(policy.lapsesMax())
            .setDeadQueue(texts.text(policy.deadQueueOffset(), policy.deadQueueLength()))
            .setBreakerFailures(policy.breakerFailures())
            .setBreakerPauseMs(policy.breakerPauseMs())
            .setTtlMs(policy.ttlMs())
            .setExpiredQueue(texts.text(policy.expiredQueueOffset(), policy.expiredQueueLength()))
            .setTasksMax(policy.tasksMax())
            .setBytesMax(policy.bytesMax())
            .setOverflowValue(policy.overflow())
            .setOrderValue(policy.order())
            .setRememberIdsMs(policy.rememberIdsMs())
            .setFairValue(policy.fair())
            .setPoolDepth(policy.poolDepth())
            .setPoolInFlightMax(policy.poolInFlightMax())
            .setPoolRateLimit(policy.poolRateLimit())
            .setPoolRatePeriodMs(policy.poolRatePeriodMs())
            .setPoolRateBurst(policy.poolRateBurst())
            .setWeight(policy.weight())
            .setRank(policy.rank());
    for (int i = 0; i < policy.groupCount(); i++) {
      rules.addGroups(texts.text(policy.groupOffset(i), policy.groupLength(i)));
    }
    for (int i = 0; i < policy.limiterCount(); i++) {
      rules.addLimiters(texts.text(policy.limiterOffset(i), policy.limiterLength(i)));
    }
    return rules.build();
  }
}
