package io.entroq.service.translation;

import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyPause;
import io.entroq.codec.wire.edge.PolicyRef;
import org.agrona.ExpandableArrayBuffer;

/** Checks the writes of policies and adds them to a Modify. Reused; one thread. */
final class PolicyWriter {
  private static final int UNTIL_RESUMED = -1;

  private final PolicyEncoder encoder = new PolicyEncoder();
  private final PolicyDecoder decoder = new PolicyDecoder();
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
  private final Slice text = new Slice();

  void put(Policy policy, ModifyEncoder modify) {
    int length = encode(policy);
    try {
      // What the log requires of a policy is said in one place.
      decoder.wrap(buffer, 0, length);
    } catch (MalformedMessageException e) {
      throw RefusedException.invalid(e.describe("Policy."));
    }
    modify.policyPut(buffer, 0, length);
  }

  private int encode(Policy policy) {
    encoder
        .wrap(buffer, 0)
        .kind(kind(policy.getKind()))
        .name(name(policy.getName()))
        .expectedVersion(policy.getExpectedVersion())
        .rateLimit(policy.getRateLimit())
        .ratePeriodMs(policy.getRatePeriodMs())
        .rateBurst(policy.getRateBurst())
        .inFlightMax(policy.getInFlightMax());
    for (int i = 0; i < policy.getLimitersCount(); i++) {
      encoder.limiter(text("limiters[" + i + "]", policy.getLimiters(i)));
    }
    encoder
        .retryBaseMs(policy.getRetryBaseMs())
        .retryFactorMilli(policy.getRetryFactorMilli())
        .retryMaxMs(policy.getRetryMaxMs())
        .retryJitterMilli(policy.getRetryJitterMilli())
        .attemptsMax(policy.getAttemptsMax())
        .lapsesMax(policy.getLapsesMax())
        .deadQueue(text("dead_queue", policy.getDeadQueue()))
        .breakerFailures(policy.getBreakerFailures())
        .breakerPauseMs(policy.getBreakerPauseMs())
        .ttlMs(policy.getTtlMs())
        .expiredQueue(text("expired_queue", policy.getExpiredQueue()))
        .tasksMax(policy.getTasksMax())
        .bytesMax(policy.getBytesMax())
        .overflow(known("overflow", policy.getOverflow(), policy.getOverflowValue()))
        .order(known("order", policy.getOrder(), policy.getOrderValue()))
        .rememberIdsMs(policy.getRememberIdsMs())
        .fair(known("fair", policy.getFair(), policy.getFairValue()))
        .poolDepth(policy.getPoolDepth())
        .poolInFlightMax(policy.getPoolInFlightMax())
        .poolRateLimit(policy.getPoolRateLimit())
        .poolRatePeriodMs(policy.getPoolRatePeriodMs())
        .poolRateBurst(policy.getPoolRateBurst())
        .weight(policy.getWeight())
        .rank(policy.getRank());
    for (int i = 0; i < policy.getGroupsCount(); i++) {
      encoder.group(text("groups[" + i + "]", policy.getGroups(i)));
    }
    return encoder.length();
  }

  void delete(PolicyRef policy, ModifyEncoder modify) {
    if (policy.getExpectedVersion() < 0) {
      throw RefusedException.invalid("expected_version: negative: " + policy.getExpectedVersion());
    }
    modify.policyDelete(
        kind(policy.getKind()), name(policy.getName()), policy.getExpectedVersion());
  }

  void pause(PolicyPause pause, ModifyEncoder modify) {
    if (pause.getPauseMs() < UNTIL_RESUMED) {
      throw RefusedException.invalid("pause_ms: below -1: " + pause.getPauseMs());
    }
    modify.pause(kind(pause.getKind()), name(pause.getName()), pause.getPauseMs());
  }

  /** The number of a kind in the log. */
  static int kind(PolicyKind kind) {
    return known("kind", kind, kind == PolicyKind.UNRECOGNIZED ? -1 : kind.getNumber());
  }

  private static int known(String field, Enum<?> constant, int number) {
    if (constant.name().equals(PolicyKind.UNRECOGNIZED.name())) {
      throw RefusedException.invalid(field + ": not a number of the enum");
    }
    return number;
  }

  private Slice name(String name) {
    if (name.isEmpty()) {
      throw RefusedException.invalid("name: missing or empty");
    }
    return text("name", name);
  }

  private Slice text(String field, String value) {
    return text.wrap(FieldWriter.checkedUtf8(field, value));
  }
}
