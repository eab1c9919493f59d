package io.entroq.engine.state;

import io.entroq.codec.command.FailDecoder;
import io.entroq.codec.effect.EffectFlags;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.message.DeadReasons;
import io.entroq.codec.message.Orders;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.engine.effect.Effects;
import io.entroq.engine.memory.DeterministicRandom;
import io.entroq.engine.memory.Digest;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.policy.Outcomes;
import io.entroq.engine.policy.PolicyStore;
import io.entroq.engine.policy.RuledQueues;
import io.entroq.engine.policy.StrictFronts;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.InFlight;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.ArrivalTime;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.ExpiryIndex;
import io.entroq.engine.task.Holds;
import io.entroq.engine.task.RememberedIds;
import io.entroq.engine.task.TaskAttributes;
import io.entroq.engine.task.TaskStore;
import org.agrona.DirectBuffer;

/**
 * What becomes of tasks when work on them fails or lapses, and when they expire: by the policies of
 * their queues they rest, die or are deleted. {@link ChangeOutcome} decides what a change says
 * about the work, and {@link DeadQueues} moves what dies.
 *
 * <p>Callers detach a task, call this, and attach it unless a method says that it does. What is
 * said of a hold is said after {@link #settle}: a lease that has ended has ended, whoever looks
 * first.
 */
final class Failures {

  /** Tasks that expire, and ids that are forgotten, in one step. */
  static final int ENDED_PER_STEP_MAX = 1000;

  /** No policy makes a task rest longer. */
  private static final long REST_MS_MAX = 366L * 24 * 60 * 60 * 1000;

  /** How long a task rests that cannot die, because the name of its dead queue is too long. */
  private static final long UNNAMED_REST_MS = 60L * 60 * 1000;

  /** No delay is given: the policy says how long a task rests. */
  static final long POLICY_DELAY = -1;

  private static final int MILLI = 1000;
  private static final int FACTOR_MILLI = 2 * MILLI;

  private final TaskStore tasks;
  private final QueueStore queues;
  private final ArrivalIndex arrivals;
  private final PolicyStore policies;
  private final RuledQueues ruled;
  private final Outcomes outcomes;
  private final StrictFronts fronts;
  private final InFlight inFlight;
  private final ExpiryIndex expiries;
  private final RememberedIds rememberedIds;
  private final DeterministicRandom random;
  private final Digest digest;
  private final Effects effects;
  private final TaskTable table;
  private final DeadQueues deadQueues;
  private final TaskAttributes attributes = new TaskAttributes();
  private final Bytes value = new Bytes();
  private final Bytes err = new Bytes();
  private final Bytes idText = new Bytes();

  Failures(Stores stores, TaskTable table, DeadQueues deadQueues) {
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.arrivals = stores.arrivals;
    this.policies = stores.policies;
    this.ruled = stores.ruled;
    this.outcomes = ruled.outcomes();
    this.fronts = ruled.fronts();
    this.random = stores.random;
    this.inFlight = stores.inFlight;
    this.expiries = stores.expiries;
    this.rememberedIds = stores.rememberedIds;
    this.digest = stores.digest;
    this.effects = stores.effects;
    this.table = table;
    this.deadQueues = deadQueues;
  }

  // Work that ends.

  /** Takes note that the lease of a detached task has ended, or its rest, if it has. */
  void settle(int task, long nowMs) {
    int hold = tasks.hold(task);
    if (hold == Holds.NONE || hold == Holds.LAPSED || arrivals.dueMs(task) > nowMs) {
      return;
    }
    int queue = tasks.queue(task);
    if (hold == Holds.HELD) {
      inFlight.hold(task, queue, Holds.LAPSED);
      int lapses = attributes.read(tasks, task).lapses();
      lapses(task, lapses + (lapses < Integer.MAX_VALUE ? 1 : 0));
      effects.lapsed(task);
      outcomes.countLapse(queue);
    } else {
      inFlight.end(task, queue);
    }
    keepPlace(task, queue);
  }

  /**
   * Attaches a detached task that is due.
   *
   * @param mayDie whether it dies if it has lapsed too often; otherwise its next lapse decides
   */
  void promote(int task, boolean mayDie, long nowMs) {
    int queue = tasks.queue(task);
    settle(task, nowMs);
    int policy = ruled.policy(queue);
    if (mayDie && policy != Slab.NONE && tasks.hold(task) == Holds.LAPSED) {
      PolicyDecoder rules = policies.rules(policy);
      int lapsesMax = rules.lapsesMax();
      if (lapsesMax > 0
          && attributes.read(tasks, task).lapses() >= lapsesMax
          && deadQueues.find(queue, rules)) {
        inFlight.end(task, queue);
        deadQueues.move(task, DeadReasons.LAPSED, false, nowMs);
        return;
      }
    }
    table.attach(task, nowMs);
  }

  /** In strict order, what was started and is not done stays before everything else. */
  void keepPlace(int task, int queue) {
    int policy = ruled.policy(queue);
    if (policy != Slab.NONE && policies.order(policy) == Orders.STRICT) {
      fronts.set(queue, task, tasks.idHigh(task), tasks.idLow(task));
    }
  }

  void lapses(int task, int lapses) {
    attributes.read(tasks, task);
    if (attributes.lapses() != lapses) {
      attributes.lapses(lapses).write(tasks, task);
    }
  }

  /** Undoes a claim whose caller is gone: it was no lapse even if its lease has ended. */
  void givenBack(int task, long nowMs) {
    settle(task, nowMs);
    if (tasks.hold(task) == Holds.LAPSED) {
      lapses(task, attributes.read(tasks, task).lapses() - 1);
    }
    if (Holds.isInFlight(tasks.hold(task))) {
      keepPlace(task, tasks.queue(task));
    }
    inFlight.end(task, tasks.queue(task));
  }

  /**
   * Tells that a detached task is removed, and forgets what there was of it.
   *
   * @param effectKind if it is DELETED, by a client: work on it that was in flight has succeeded
   */
  void deleted(int task, int queue, int effectKind, long nowMs) {
    boolean isRuled = queues.rules(queue) != Slab.NONE;
    if (isRuled) {
      settle(task, nowMs);
    }
    int hold = tasks.hold(task);
    boolean wasInFlight = Holds.isInFlight(hold) || hold == Holds.LAPSED;
    // Only now, because nothing is told of a task that is gone.
    effects.task(effectKind, wasInFlight ? EffectFlags.WAS_IN_FLIGHT : 0, task);
    if (isRuled && wasInFlight && effectKind == EffectKinds.DELETED) {
      outcomes.succeeded(queue);
    }
    inFlight.end(task, queue);
    expiries.remove(task);
    if (isRuled) {
      deadQueues.leave(task, queue, nowMs);
    }
  }

  /**
   * Writes that work on a detached task has failed, and attaches it.
   *
   * @param command the buffer of the fail
   */
  void fail(int task, FailDecoder fail, DirectBuffer command, long nowMs) {
    settle(task, nowMs);
    tasks.value(task, value);
    tasks.idText(task, idText);
    err.set(command, fail.errOffset(), fail.errLength());
    tasks.content(task, tasks.valueKind(task), value, err, idText);
    int attempt = tasks.attempt(task);
    tasks.attempt(task, attempt == Integer.MAX_VALUE ? attempt : attempt + 1);
    tasks.version(task, tasks.version(task) + 1);
    tasks.modifiedMs(task, nowMs);
    decide(task, fail.hasDelay() ? fail.delayMs() : POLICY_DELAY, nowMs);
  }

  /**
   * Decides about a detached task whose attempt was raised and that has its new version: it rests,
   * or it dies. Attaches it.
   *
   * @param delayMs how long it rests; negative: as long as the policy says
   */
  void decide(int task, long delayMs, long nowMs) {
    int queue = tasks.queue(task);
    int policy = ruled.policy(queue);
    table.claimant(task, 0, 0, false);
    tasks.arrivalMs(task, nowMs);
    lapses(task, 0);
    countFailure(queue, nowMs);
    long restMs = Math.max(0, delayMs);
    if (policy != Slab.NONE) {
      PolicyDecoder rules = policies.rules(policy);
      if (rules.attemptsMax() > 0 && tasks.attempt(task) >= rules.attemptsMax()) {
        if (deadQueues.find(queue, rules)) {
          inFlight.end(task, queue);
          effects.task(EffectKinds.FAILED, task);
          deadQueues.move(task, DeadReasons.FAILED, true, nowMs);
          return;
        }
        restMs = rules.retryMaxMs() > 0 ? rules.retryMaxMs() : UNNAMED_REST_MS;
      } else if (delayMs < 0) {
        restMs = restMs(rules, tasks.attempt(task));
      }
    }
    long arrivalMs = ArrivalTime.saturatedSum(nowMs, restMs);
    tasks.arrivalMs(task, arrivalMs);
    inFlight.hold(task, queue, arrivalMs > nowMs ? Holds.RESTING : Holds.NONE);
    keepPlace(task, queue);
    table.attach(task, nowMs);
    effects.task(EffectKinds.FAILED, task);
  }

  void countFailure(int queue, long nowMs) {
    int policy = ruled.policy(queue);
    if (policy != Slab.NONE) {
      PolicyDecoder rules = policies.rules(policy);
      if (rules.breakerFailures() > 0) {
        long endMs = ArrivalTime.saturatedSum(nowMs, rules.breakerPauseMs());
        if (outcomes.failed(queue, rules.breakerFailures(), endMs)) {
          effects.breakerOpened(queue, endMs);
        }
      }
    }
  }

  /** The same on every machine, as StrictMath is. */
  private long restMs(PolicyDecoder rules, int attempt) {
    int factorMilli = rules.retryFactorMilli() == 0 ? FACTOR_MILLI : rules.retryFactorMilli();
    double factor = StrictMath.pow((double) factorMilli / MILLI, Math.max(0.0, attempt - 1.0));
    long maxMs = rules.retryMaxMs() > 0 ? rules.retryMaxMs() : REST_MS_MAX;
    // A product that is too large for 64 bits becomes the largest number.
    long restMs = Math.min(maxMs, (long) (rules.retryBaseMs() * factor));
    if (rules.retryJitterMilli() > 0) {
      long span = restMs * rules.retryJitterMilli() / MILLI;
      restMs -= (random.next() >>> 1) % (span + 1);
    }
    return restMs;
  }

  /** Whether the policy of a queue says how failed tasks rest, or when they die. */
  boolean hasRetry(int queue) {
    int policy = ruled.policy(queue);
    return policy != Slab.NONE && hasRetry(policies.rules(policy));
  }

  static boolean hasRetry(PolicyDecoder rules) {
    return (rules.retryBaseMs() | rules.retryMaxMs()) != 0
        || (rules.retryFactorMilli() | rules.retryJitterMilli() | rules.attemptsMax()) != 0;
  }

  // Time.

  /** Ends what has expired, up to the bounds of a step; the rest is due at once. */
  void advance(long nowMs) {
    for (int i = 0; i < ENDED_PER_STEP_MAX && expiries.firstDeadlineMs() <= nowMs; i++) {
      expire(expiries.root(), nowMs);
    }
    rememberedIds.forget(ENDED_PER_STEP_MAX, nowMs, digest);
  }

  private void expire(int task, long nowMs) {
    int queue = tasks.queue(task);
    int policy = ruled.policyNow(queue);
    if (policy != Slab.NONE && policies.rules(policy).expiredQueueLength() > 0) {
      table.detach(task);
      settle(task, nowMs);
      inFlight.end(task, queue);
      // Only now, because the queue may have looked up its policy meanwhile.
      deadQueues.findExpired(policies.rules(policy));
      deadQueues.move(task, DeadReasons.EXPIRED, false, nowMs);
      queues.removeIfUnused(queue);
    } else {
      deadQueues.gone(task, queue);
      table.delete(task, EffectKinds.EXPIRED, nowMs);
    }
  }
}
