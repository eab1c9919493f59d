package io.entroq.engine.call;

import io.entroq.api.Claim;
import io.entroq.api.Limiter;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.spi.PolicyNumbers;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.message.Fairs;
import io.entroq.codec.message.Orders;
import io.entroq.codec.message.Overflows;
import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.codec.message.Slice;
import io.entroq.codec.wire.Times;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.agrona.ExpandableArrayBuffer;

/** Encodes writes of policies. One thread at a time; reused. */
final class PolicyWriter {
  private static final int UNTIL_RESUMED = -1;
  private static final int MUST_NOT_EXIST = -1;
  private static final int ANY_VERSION = 0;

  private final PolicyEncoder encoder = new PolicyEncoder();
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
  private final Slice name = new Slice();

  /** The puts, in their order. */
  static Stream<Policies.Put> puts(List<Policies.Write> writes) {
    return of(Policies.Put.class, writes);
  }

  static Stream<Policies.Delete> deletes(List<Policies.Write> writes) {
    return of(Policies.Delete.class, writes);
  }

  static Stream<Policies.Pause> pauses(List<Policies.Write> writes) {
    return of(Policies.Pause.class, writes);
  }

  private static <T> Stream<T> of(Class<T> type, List<Policies.Write> writes) {
    return writes.stream().filter(type::isInstance).map(type::cast);
  }

  /** Whether writes may add an entry. */
  static boolean mayAdd(List<Policies.Write> writes) {
    return writes.stream().anyMatch(write -> !(write instanceof Policies.Delete));
  }

  /** Adds all writes to a Modify. */
  void write(List<Policies.Write> writes, ModifyEncoder modify) {
    puts(writes).forEach(put -> modify.policyPut(buffer, 0, encode(put)));
    deletes(writes)
        .forEach(
            delete ->
                modify.policyDelete(
                    kind(delete.target()),
                    text(delete.target().name()),
                    delete.expected().orElse(ANY_VERSION)));
    pauses(writes)
        .forEach(
            pause ->
                modify.pause(
                    kind(pause.target()),
                    text(pause.target().name()),
                    pause.isUntilResumed() ? UNTIL_RESUMED : pause.length().toMillis()));
  }

  private int encode(Policies.Put put) {
    Policies.Target target = put.target();
    encoder
        .wrap(buffer, 0)
        .kind(kind(target))
        .name(text(target.name()))
        .expectedVersion(put.expected().map(PolicyWriter::expected).orElse(ANY_VERSION));
    return put.rules() instanceof Limiter limiter
        ? encode(limiter)
        : encode((QueuePolicy) put.rules());
  }

  private static int expected(int version) {
    return version == 0 ? MUST_NOT_EXIST : version;
  }

  private int encode(Limiter limiter) {
    rate(limiter.rate());
    return encoder.inFlightMax(limiter.inFlight()).length();
  }

  private int encode(QueuePolicy policy) {
    rate(policy.rate());
    encoder.inFlightMax(policy.inFlight());
    policy.limiters().forEach(limiter -> encoder.limiter(text(limiter)));
    policy.retry().ifPresent(this::retry);
    encoder
        .attemptsMax(policy.attempts())
        .lapsesMax(policy.lapses())
        .deadQueue(text(policy.deadQueue()));
    policy
        .breaker()
        .ifPresent(
            breaker ->
                encoder
                    .breakerFailures(breaker.failures())
                    .breakerPauseMs(breaker.pause().toMillis()));
    encoder
        .ttlMs(policy.timeToLive().toMillis())
        .expiredQueue(text(policy.expiredQueue()))
        .tasksMax(policy.maxTasks())
        .bytesMax(policy.maxBytes())
        .overflow(
            switch (policy.overflow()) {
              case REFUSE -> Overflows.REFUSE;
              case DROP_OLDEST -> Overflows.DROP_OLDEST;
            })
        .order(
            switch (policy.order()) {
              case COIN -> Orders.COIN;
              case OLDEST -> Orders.OLDEST;
              case STRICT -> Orders.STRICT;
            })
        .rememberIdsMs(policy.rememberIds().toMillis());
    policy.pool().ifPresent(this::pool);
    // A weight of 1 is what a policy without one means.
    encoder.weight(policy.weight() == 1 ? 0 : policy.weight()).rank(policy.rank());
    policy.groups().forEach(group -> encoder.group(text(group)));
    return encoder.length();
  }

  private void pool(QueuePolicy.Pool pool) {
    encoder
        .fair(
            switch (pool.fairness()) {
              case LEAST_IN_FLIGHT -> Fairs.LEAST_IN_FLIGHT;
              case ROUND_ROBIN -> Fairs.ROUND_ROBIN;
              case STRICT_RANK -> Fairs.STRICT_RANK;
            })
        .poolDepth(pool.depth())
        .poolInFlightMax(pool.inFlight());
    pool.rate()
        .ifPresent(
            rate ->
                encoder
                    .poolRateLimit(rate.limit())
                    .poolRatePeriodMs(rate.period().toMillis())
                    .poolRateBurst(rate.burst()));
  }

  private void rate(Optional<QueuePolicy.Rate> rate) {
    rate.ifPresent(
        set ->
            encoder
                .rateLimit(set.limit())
                .ratePeriodMs(set.period().toMillis())
                .rateBurst(set.burst()));
  }

  private void retry(QueuePolicy.Retry retry) {
    encoder
        .retryBaseMs(retry.base().toMillis())
        .retryFactorMilli(PolicyNumbers.milli(retry.factor()))
        .retryMaxMs(retry.max().toMillis())
        .retryJitterMilli(PolicyNumbers.milli(retry.jitter()));
  }

  private static int kind(Policies.Target target) {
    return kind(target.kind());
  }

  static int kind(Policies.Kind kind) {
    return switch (kind) {
      case QUEUE -> PolicyKinds.QUEUE;
      case PREFIX -> PolicyKinds.PREFIX;
      case LIMITER -> PolicyKinds.LIMITER;
    };
  }

  private Slice text(String text) {
    return name.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A lower bound of the encoded length of a write, in bytes. */
  static long bytesAtLeast(List<Policies.Write> writes) {
    return writes.stream().mapToLong(write -> write.target().name().length()).sum();
  }

  /** A time to live as tasks have it: -1 for never, 0 if there is none. */
  static long ttlMs(Optional<Duration> timeToLive) {
    return timeToLive.map(PolicyWriter::ttlMs).orElse(0L);
  }

  private static long ttlMs(Duration time) {
    return time.equals(Claim.FOREVER) ? -1 : Times.toMs(time);
  }
}
