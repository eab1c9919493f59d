package io.entroq.codec.message;

/**
 * Checks of ids, identities and values that the schema's options cannot express. Generated decoders
 * call them with the field's name for errors.
 */
public final class MessageRules {
  /** Largest trace context of a task. */
  public static final int TRACE_BYTES_MAX = 64;

  private static final int MICROS_PER_MS = 1_000;
  private static final int FACTOR_MIN = 1_000;

  /** The last segment of names of queues for dead tasks. */
  private static final byte[] ERR = {'e', 'r', 'r'};

  private MessageRules() {}

  /**
   * Whether a change of a task says only when it becomes available, and nothing about its data.
   *
   * @param mode one of {@link ChangeModes}
   */
  public static boolean isLeaseOnly(int mode) {
    return mode == ChangeModes.LEASE || mode == ChangeModes.TAKE_BACK;
  }

  /** An id that may be nobody, but only without a text. */
  public static void id(IdDecoder id, WireReader reader, String field) {
    if ((id.high() | id.low()) == 0 && id.textLength() != 0) {
      throw reader.malformed(field, "a text without a key");
    }
  }

  /** An id that is not nobody. */
  public static void somebody(IdDecoder id, WireReader reader, String field) {
    if ((id.high() | id.low()) == 0) {
      throw reader.malformed(field, "missing or zero");
    }
  }

  /** An identity that names a client. */
  public static void client(IdentityDecoder identity, WireReader reader, String field) {
    if ((identity.clientHigh() | identity.clientLow()) == 0) {
      throw reader.malformed("Identity.client_high", "client missing or zero");
    }
  }

  /** An identity that names a client and a request. */
  public static void numbered(IdentityDecoder identity, WireReader reader, String field) {
    client(identity, reader, field);
    if (identity.requestNumber() == 0) {
      throw reader.malformed("Identity.number", "missing or zero");
    }
    if (identity.ackedBelow() > identity.requestNumber()) {
      throw reader.malformed(
          "Identity.acked_below",
          identity.ackedBelow() + " is above number " + identity.requestNumber());
    }
  }

  /** An identity that names a client and its acknowledged replies. */
  public static void acknowledged(IdentityDecoder identity, WireReader reader, String field) {
    client(identity, reader, field);
    if (identity.ackedBelow() == 0) {
      throw reader.malformed("Identity.acked_below", "missing or zero");
    }
  }

  /** A complete identity of a request. */
  public static void request(IdentityDecoder identity, WireReader reader, String field) {
    numbered(identity, reader, field);
    acknowledged(identity, reader, field);
  }

  /**
   * A value that is empty if it is absent.
   *
   * @param kind one of {@link ValueKinds}
   */
  public static void value(int kind, int length, WireReader reader, String field) {
    if (kind == ValueKinds.ABSENT && length != 0) {
      throw reader.malformed(field, length + " bytes of an absent value");
    }
  }

  /** A trace context. */
  public static void trace(int length, WireReader reader, String field) {
    if (length > TRACE_BYTES_MAX) {
      throw reader.malformed(field, length + " bytes, the limit is " + TRACE_BYTES_MAX);
    }
  }

  /** A policy whose rules fit together. */
  public static void policy(PolicyDecoder policy, WireReader reader, String field) {
    rate(policy.rateLimit(), policy.ratePeriodMs(), policy.rateBurst(), reader, "Policy.rate_");
    limiters(policy, reader);
    retry(policy, reader);
    otherQueue(policy, policy.deadQueueOffset(), policy.deadQueueLength(), reader, "dead_queue");
    otherQueue(
        policy, policy.expiredQueueOffset(), policy.expiredQueueLength(), reader, "expired_queue");
    if (policy.order() == Orders.STRICT && policy.inFlightMax() != 1) {
      throw reader.malformed("Policy.order", "ORDER_STRICT without an in_flight_max of 1");
    }
    pool(policy, reader);
    groups(policy, reader);
    if (policy.kind() == PolicyKinds.LIMITER) {
      limiter(policy, reader);
    }
  }

  private static void rate(
      long limit, long periodMs, long burst, WireReader reader, String prefix) {
    if (limit == 0) {
      if (periodMs != 0) {
        throw reader.malformed(prefix + "limit", "missing or 0 beside a period");
      }
      if (burst != 0) {
        throw reader.malformed(prefix + "burst", "a burst without a rate");
      }
    } else if (periodMs == 0) {
      throw reader.malformed(prefix + "period_ms", "missing or 0 beside a limit");
    } else if (periodMs * MICROS_PER_MS < limit) {
      throw reader.malformed(prefix + "limit", "more than one start a microsecond");
    }
  }

  private static void limiters(PolicyDecoder policy, WireReader reader) {
    for (int i = 0; i < policy.limiterCount(); i++) {
      if (policy.limiterLength(i) == 0) {
        throw reader.malformed("Policy.limiters", "empty");
      }
      for (int j = 0; j < i; j++) {
        if (isSame(
            reader,
            policy.limiterOffset(i),
            policy.limiterLength(i),
            policy.limiterOffset(j),
            policy.limiterLength(j))) {
          throw reader.malformed("Policy.limiters", "the same limiter twice");
        }
      }
    }
  }

  private static void pool(PolicyDecoder policy, WireReader reader) {
    if (policy.fair() == Fairs.NONE) {
      onlyOfPools(policy.poolDepth(), reader, "pool_depth");
      onlyOfPools(policy.poolInFlightMax(), reader, "pool_in_flight_max");
      onlyOfPools(policy.poolRateLimit(), reader, "pool_rate_limit");
    } else if (policy.kind() != PolicyKinds.QUEUE) {
      throw reader.malformed(
          "Policy.fair", "only a queue is a pool, by a policy of its exact name");
    } else if (policy.groupCount() > 0) {
      throw reader.malformed("Policy.groups", "a topic cannot be a pool");
    }
    rate(
        policy.poolRateLimit(),
        policy.poolRatePeriodMs(),
        policy.poolRateBurst(),
        reader,
        "Policy.pool_rate_");
  }

  private static void onlyOfPools(long value, WireReader reader, String field) {
    if (value != 0) {
      throw reader.malformed("Policy." + field, "the queue is no pool: fair is not set");
    }
  }

  private static void groups(PolicyDecoder policy, WireReader reader) {
    if (policy.groupCount() > 0 && policy.kind() != PolicyKinds.QUEUE) {
      throw reader.malformed(
          "Policy.groups", "only a queue is a topic, by a policy of its exact name");
    }
    for (int i = 0; i < policy.groupCount(); i++) {
      group(reader, policy.groupOffset(i), policy.groupLength(i));
      if (policy.nameLength() + 1 + policy.groupLength(i) > FieldLimits.TEXT_BYTES_MAX) {
        throw reader.malformed("Policy.groups", "the name of a group's queue is too long");
      }
      for (int j = 0; j < i; j++) {
        if (isSame(
            reader,
            policy.groupOffset(i),
            policy.groupLength(i),
            policy.groupOffset(j),
            policy.groupLength(j))) {
          throw reader.malformed("Policy.groups", "the same group twice");
        }
      }
    }
  }

  private static void group(WireReader reader, int offset, int length) {
    if (length == 0) {
      throw reader.malformed("Policy.groups", "empty");
    }
    boolean isErr = length == ERR.length;
    for (int i = 0; i < length; i++) {
      byte b = reader.buffer().getByte(offset + i);
      if (b == '/') {
        throw reader.malformed("Policy.groups", "a name with a slash");
      }
      isErr = isErr && b == ERR[i];
    }
    if (isErr) {
      throw reader.malformed("Policy.groups", "err is the queue of dead tasks");
    }
  }

  private static void retry(PolicyDecoder policy, WireReader reader) {
    if (policy.retryFactorMilli() != 0 && policy.retryFactorMilli() < FACTOR_MIN) {
      throw reader.malformed(
          "Policy.retry_factor_milli", policy.retryFactorMilli() + " is below " + FACTOR_MIN);
    }
    if ((policy.breakerFailures() == 0) != (policy.breakerPauseMs() == 0)) {
      throw reader.malformed(
          policy.breakerFailures() == 0 ? "Policy.breaker_failures" : "Policy.breaker_pause_ms",
          "missing or 0 beside the other");
    }
  }

  private static void otherQueue(
      PolicyDecoder policy, int offset, int length, WireReader reader, String field) {
    if (policy.kind() == PolicyKinds.QUEUE
        && isSame(reader, policy.nameOffset(), policy.nameLength(), offset, length)) {
      throw reader.malformed("Policy." + field, "the policy's own queue");
    }
  }

  private static void limiter(PolicyDecoder policy, WireReader reader) {
    limiterHasNo(policy.limiterCount(), reader, "limiters");
    limiterHasNo(policy.retryBaseMs(), reader, "retry_base_ms");
    limiterHasNo(policy.retryFactorMilli(), reader, "retry_factor_milli");
    limiterHasNo(policy.retryMaxMs(), reader, "retry_max_ms");
    limiterHasNo(policy.retryJitterMilli(), reader, "retry_jitter_milli");
    limiterHasNo(policy.attemptsMax(), reader, "attempts_max");
    limiterHasNo(policy.lapsesMax(), reader, "lapses_max");
    limiterHasNo(policy.deadQueueLength(), reader, "dead_queue");
    limiterHasNo(policy.breakerFailures(), reader, "breaker_failures");
    limiterHasNo(policy.ttlMs(), reader, "ttl_ms");
    limiterHasNo(policy.expiredQueueLength(), reader, "expired_queue");
    limiterHasNo(policy.tasksMax(), reader, "tasks_max");
    limiterHasNo(policy.bytesMax(), reader, "bytes_max");
    limiterHasNo(policy.overflow(), reader, "overflow");
    limiterHasNo(policy.order(), reader, "order");
    limiterHasNo(policy.rememberIdsMs(), reader, "remember_ids_ms");
    limiterHasNo(policy.weight(), reader, "weight");
    limiterHasNo(policy.rank(), reader, "rank");
  }

  private static void limiterHasNo(long value, WireReader reader, String field) {
    if (value != 0) {
      throw reader.malformed("Policy." + field, "not a rule of limiters");
    }
  }

  private static boolean isSame(
      WireReader reader, int offset, int length, int otherOffset, int otherLength) {
    if (length != otherLength) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (reader.buffer().getByte(offset + i) != reader.buffer().getByte(otherOffset + i)) {
        return false;
      }
    }
    return true;
  }
}
