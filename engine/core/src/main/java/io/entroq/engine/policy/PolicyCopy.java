package io.entroq.engine.policy;

import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyEncoder;
import org.agrona.DirectBuffer;

/** Copies the rules of a policy, without the version that a command expected. */
final class PolicyCopy {

  private PolicyCopy() {}

  static void encode(PolicyDecoder from, DirectBuffer buffer, PolicyEncoder to) {
    to.kind(from.kind())
        .name(buffer, from.nameOffset(), from.nameLength())
        .rateLimit(from.rateLimit())
        .ratePeriodMs(from.ratePeriodMs())
        .rateBurst(from.rateBurst())
        .inFlightMax(from.inFlightMax());
    for (int i = 0; i < from.limiterCount(); i++) {
      to.limiter(buffer, from.limiterOffset(i), from.limiterLength(i));
    }
    to.retryBaseMs(from.retryBaseMs())
        .retryFactorMilli(from.retryFactorMilli())
        .retryMaxMs(from.retryMaxMs())
        .retryJitterMilli(from.retryJitterMilli())
        .attemptsMax(from.attemptsMax())
        .lapsesMax(from.lapsesMax())
        .deadQueue(buffer, from.deadQueueOffset(), from.deadQueueLength())
        .breakerFailures(from.breakerFailures())
        .breakerPauseMs(from.breakerPauseMs())
        .ttlMs(from.ttlMs())
        .expiredQueue(buffer, from.expiredQueueOffset(), from.expiredQueueLength())
        .tasksMax(from.tasksMax())
        .bytesMax(from.bytesMax())
        .overflow(from.overflow())
        .order(from.order())
        .rememberIdsMs(from.rememberIdsMs())
        .fair(from.fair())
        .poolDepth(from.poolDepth())
        .poolInFlightMax(from.poolInFlightMax())
        .poolRateLimit(from.poolRateLimit())
        .poolRatePeriodMs(from.poolRatePeriodMs())
        .poolRateBurst(from.poolRateBurst())
        .weight(from.weight())
        .rank(from.rank());
    for (int i = 0; i < from.groupCount(); i++) {
      to.group(buffer, from.groupOffset(i), from.groupLength(i));
    }
  }
}
