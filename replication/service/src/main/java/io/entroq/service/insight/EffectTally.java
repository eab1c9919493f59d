package io.entroq.service.insight;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.StepFrame;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.edge.TaskFailure;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/**
 * Counts effects: of queues, of workers, and failures. One thread polls a reader into it; any
 * thread reads. Both hold its monitor, for a part of a millisecond.
 */
final class EffectTally implements EffectConsumer {
  private static final int MS_PER_SECOND = 1_000;
  private static final int FAILURES_MAX = 1_000;
  private static final int FAILURES_OF_QUEUE_MAX = 8;
  private static final int ERR_BYTES_MAX = 200;

  private final RateBook rates;
  private final WorkerBook workers;
  private final FailureRing failures = new FailureRing(FAILURES_MAX);
  private final PolicyDecoder policy = new PolicyDecoder();

  /** The queue of the last effect, which is often that of the next. */
  private RateEntry last;

  /** The log time of what was seen last; 0 before the first. */
  private long timeMs;

  /** Whether something may be missing before what comes next. */
  private boolean isBroken;

  private long policyWrites;

  EffectTally(RateBook rates, WorkerBook workers) {
    this.rates = rates;
    this.workers = workers;
  }

  /** Takes what a reader has, as {@link FeedReader#poll}. */
  synchronized int poll(FeedReader reader, int bytesMax) {
    return reader.poll(this, bytesMax);
  }

  /** Something may be missing before what comes next. */
  synchronized void interrupt() {
    isBroken = timeMs > 0;
    policyWrites++;
    workers.forgetHeld();
  }

  /** Reads rates, everything that has happened included. */
  synchronized <T> T rates(Function<RateBook, T> read) {
    rates.endSecond();
    return read.apply(rates);
  }

  /** Reads workers. */
  synchronized <T> T workers(Function<WorkerBook, T> read) {
    return read.apply(workers);
  }

  /** Of all queues, or of one; the newest first. */
  synchronized List<TaskFailure> failures(String queue, int limit) {
    if (queue.isEmpty()) {
      return failures.newest(limit);
    }
    List<TaskFailure> found =
        failures.newest(FAILURES_MAX).stream()
            .filter(failure -> failure.getQueue().equals(queue))
            .limit(limit)
            .toList();
    RateEntry entry = rates.find(queue);
    List<TaskFailure> own =
        entry == null || entry.failures == null ? found : entry.failures.newest(limit);
    return own.size() > found.size() ? own : found;
  }

  /** Tasks go there that have failed for good. */
  synchronized void markDead(String queue) {
    rates.markDead(rates.entry(queue));
  }

  /** How often policies were written, as far as known; more after something may be missing. */
  synchronized long policyWrites() {
    return policyWrites;
  }

  @Override
  public void onMark(long sequence, long logTimeMs) {
    at(logTimeMs);
  }

  @Override
  public void onEffect(EffectReader effect) {
    at(effect.step().logTimeMs());
    if (effect.isOfTask()) {
      onTask(effect);
    } else if (effect.kind() == EffectKinds.POLICY_DELETED) {
      policyWrites++;
    } else if (effect.kind() == EffectKinds.POLICY_WRITTEN) {
      policyWrites++;
      policy.wrap(
          effect.buffer(), effect.offset(EffectParts.POLICY), effect.length(EffectParts.POLICY));
      if (policy.deadQueueLength() > 0) {
        rates.markDead(
            rates.entry(policy.buffer(), policy.deadQueueOffset(), policy.deadQueueLength()));
      }
    }
  }

  private void at(long logTimeMs) {
    if (logTimeMs <= 0) {
      return;
    }
    if (isBroken) {
      isBroken = false;
      rates.addGap(timeMs, logTimeMs);
    }
    timeMs = Math.max(timeMs, logTimeMs);
    rates.second(timeMs / MS_PER_SECOND);
  }

  private void onTask(EffectReader effect) {
    RateEntry queue = queue(effect);
    switch (effect.kind()) {
      case EffectKinds.INSERTED -> come(queue);
      case EffectKinds.CLAIMED -> {
        rates.count(queue, Event.CLAIMED);
        hold(effect, queue, true);
      }
      case EffectKinds.RENEWED -> hold(effect, queue, false);
      case EffectKinds.CHANGED -> change(effect, queue);
      case EffectKinds.MOVED -> move(effect);
      case EffectKinds.DELETED -> {
        rates.grow(queue, -1);
        if (effect.wasInFlight()) {
          end(effect, queue, Event.DONE);
        }
      }
      case EffectKinds.FAILED -> fail(effect, queue, "");
      case EffectKinds.LAPSED -> end(effect, queue, Event.LAPSED);
      case EffectKinds.DIED -> die(effect);
      case EffectKinds.EXPIRED, EffectKinds.DROPPED -> {
        rates.count(queue, Event.DEAD);
        rates.grow(queue, -1);
        workers.drop(id(effect));
      }
      // Given back, or taken back.
      default -> workers.drop(id(effect));
    }
  }

  private void come(RateEntry queue) {
    rates.count(queue, Event.INSERTED);
    rates.grow(queue, 1);
  }

  private void hold(EffectReader effect, RateEntry queue, boolean isClaim) {
    // A lease change may also give a task back, or take one that nobody holds.
    if (effect.isInFlight()) {
      workers.hold(claimant(effect), id(effect), queue.text(), effect.dueMs(), isClaim, timeMs);
    } else {
      workers.drop(id(effect));
    }
  }

  private void change(EffectReader effect, RateEntry queue) {
    if (effect.isFailed()) {
      fail(effect, queue, "");
    } else if (effect.wasInFlight() && !effect.isInFlight()) {
      end(effect, queue, Event.DONE);
    } else if (effect.isInFlight()) {
      hold(effect, queue, false);
    }
  }

  private void move(EffectReader effect) {
    RateEntry former = former(effect);
    // After the other, for which room may have been made. What happens now keeps this one.
    RateEntry queue = queue(effect);
    rates.grow(former, -1);
    come(queue);
    boolean isDeath = queue.isDead && !former.isDead;
    if (isDeath) {
      rates.count(former, Event.DEAD);
    }
    if (effect.isFailed()) {
      fail(effect, former, isDeath ? queue.text() : "");
    } else if (effect.wasInFlight()) {
      end(effect, former, Event.DONE);
    }
  }

  private void die(EffectReader effect) {
    RateEntry former = former(effect);
    RateEntry queue = queue(effect);
    if (!queue.isDead) {
      rates.markDead(queue);
    }
    rates.grow(former, -1);
    come(queue);
    rates.count(former, Event.DEAD);
    workers.drop(id(effect));
    TaskFailure death = failure(effect, former, queue.text(), "");
    failures.die(death);
    if (former.series != null) {
      failures(former).die(death);
    }
  }

  private void fail(EffectReader effect, RateEntry queue, String deadQueue) {
    rates.count(queue, Event.FAILED);
    String worker = workers.end(id(effect), Event.FAILED, requester(effect), timeMs);
    TaskFailure failure = failure(effect, queue, deadQueue, worker);
    failures.add(failure);
    if (queue.series != null) {
      failures(queue).add(failure);
    }
  }

  private static FailureRing failures(RateEntry queue) {
    if (queue.failures == null) {
      queue.failures = new FailureRing(FAILURES_OF_QUEUE_MAX);
    }
    return queue.failures;
  }

  private TaskFailure failure(
      EffectReader effect, RateEntry queue, String deadQueue, String worker) {
    return TaskFailure.newBuilder()
        .setTaskId(id(effect).v1Text())
        .setQueue(queue.text())
        .setAttempt(effect.attempt())
        .setErr(err(effect))
        .setTimeMs(timeMs)
        .setDeadQueue(deadQueue)
        .setClaimant(worker)
        .build();
  }

  private void end(EffectReader effect, RateEntry queue, Event event) {
    rates.count(queue, event);
    IdKey claimant = event == Event.LAPSED ? claimant(effect) : requester(effect);
    String unused = workers.end(id(effect), event, claimant, timeMs);
  }

  private RateEntry queue(EffectReader effect) {
    DirectBuffer buffer = effect.buffer();
    int offset = effect.offset(EffectParts.QUEUE);
    int length = effect.length(EffectParts.QUEUE);
    boolean isLast =
        last != null && !last.isForgotten && NameTable.equals(last.name, buffer, offset, length);
    if (!isLast) {
      last = rates.entry(buffer, offset, length);
    }
    return last;
  }

  private RateEntry former(EffectReader effect) {
    return rates.entry(
        effect.buffer(),
        effect.offset(EffectParts.FORMER_QUEUE),
        effect.length(EffectParts.FORMER_QUEUE));
  }

  private static IdKey id(EffectReader effect) {
    return new IdKey(effect.idHigh(), effect.idLow(), text(effect, EffectParts.ID_TEXT));
  }

  private static IdKey claimant(EffectReader effect) {
    return new IdKey(
        effect.claimantHigh(), effect.claimantLow(), text(effect, EffectParts.CLAIMANT_TEXT));
  }

  private static IdKey requester(EffectReader effect) {
    StepFrame step = effect.step();
    return effect.isRequested()
        ? new IdKey(
            step.byHigh(),
            step.byLow(),
            text(step.buffer(), step.byTextOffset(), step.byTextLength()))
        : IdKey.NOBODY;
  }

  private static String text(EffectReader effect, int part) {
    return text(effect.buffer(), effect.offset(part), effect.length(part));
  }

  private static String text(DirectBuffer buffer, int offset, int length) {
    if (length == 0) {
      return "";
    }
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static String err(EffectReader effect) {
    int offset = effect.offset(EffectParts.ERR);
    int length = effect.length(EffectParts.ERR);
    if (length > ERR_BYTES_MAX) {
      length = ERR_BYTES_MAX;
      // Not within a character.
      while ((effect.buffer().getByte(offset + length) & 0xC0) == 0x80) {
        length--;
      }
    }
    return text(effect.buffer(), offset, length);
  }
}
