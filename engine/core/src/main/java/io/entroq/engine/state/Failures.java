package io.entroq.engine.state;

import io.entroq.codec.command.ChangeDecoder;
import io.entroq.codec.command.FailDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.DeadReasons;
import io.entroq.codec.message.FieldLimits;
import io.entroq.codec.message.Orders;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.engine.effect.EffectKinds;
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
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What becomes of tasks when work on them ends, fails or lapses, and when they expire: by the
 * policies of their queues they rest, die or are deleted. Decides by what is written whether
 * somebody works on a task, and keeps what few tasks have: attributes, a time to expire, ids that
 * stay taken.
 *
 * <p>A task that dies moves to the dead queue that the policy names, else to {@code NAME/err}. The
 * server's own moves never fail: limits of size do not apply to them, and a version that is used up
 * stays as it is.
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

  private static final byte[] ERR = {'/', 'e', 'r', 'r'};

  /** No delay is given: the policy says how long a task rests. */
  private static final long POLICY_DELAY = -1;

  private static final int MILLI = 1000;
  private static final int FACTOR_MILLI = 2 * MILLI;
  private static final Bytes NOTHING = new Bytes();

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
  private final TaskAttributes attributes = new TaskAttributes();
  private final Bytes stored = new Bytes();
  private final Bytes value = new Bytes();
  private final Bytes err = new Bytes();
  private final Bytes idText = new Bytes();
  private final Bytes target = new Bytes();
  private final UnsafeBuffer errName = new UnsafeBuffer(new byte[FieldLimits.TEXT_BYTES_MAX]);
  private boolean hasLevel;

  // Of the task that is being changed, before the change.
  private int formerQueue;
  private int formerHold;
  private int formerAttempt;
  private long formerLeaseMs;
  private boolean isHolders;
  private boolean hasOtherContent;

  Failures(Stores stores, TaskTable table) {
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
  }

  /** Begins a step at a behavior level. */
  void step(int level) {
    hasLevel = level >= Levels.POLICIES;
  }

  // Attributes that commands set.

  /**
   * The attributes of a task to insert, encoded; valid until the next call.
   *
   * @param ttlMs as {@link #ttlMs}
   */
  Bytes ofInsert(TaskItem item, DirectBuffer command, long ttlMs, long nowMs) {
    if (!hasLevel || (ttlMs == 0 && item.traceLength() == 0)) {
      return NOTHING;
    }
    attributes.clear().expiresMs(expiresMs(ttlMs, nowMs));
    attributes.trace().set(command, item.traceOffset(), item.traceLength());
    return attributes.encode();
  }

  /**
   * The attributes of a task after a change, encoded; valid until the next call. It keeps what the
   * change does not name, except for what the server said when it moved the task, if it moves
   * again.
   */
  Bytes ofChange(int task, TaskItem item, DirectBuffer command, boolean isMoved, long nowMs) {
    tasks.attributes(task, stored);
    boolean isNamed = hasLevel && (item.ttlMs() != 0 || item.traceLength() > 0);
    if (!isNamed && (stored.length() == 0 || !isMoved)) {
      return stored;
    }
    attributes.read(stored);
    if (item.ttlMs() != 0) {
      attributes.expiresMs(expiresMs(item.ttlMs(), nowMs));
    }
    if (item.traceLength() > 0) {
      attributes.trace().set(command, item.traceOffset(), item.traceLength());
    }
    if (isMoved) {
      attributes.origin().clear();
      attributes.died(DeadReasons.NONE, 0);
    }
    return attributes.encode();
  }

  private static long expiresMs(long ttlMs, long nowMs) {
    return ttlMs > 0 ? ArrivalTime.saturatedSum(nowMs, ttlMs) : ttlMs;
  }

  /** After how many milliseconds a task to insert expires: by itself or the policy of its queue. */
  long ttlMs(TaskItem item, int queue) {
    if (!hasLevel || item.ttlMs() != 0) {
      return hasLevel ? item.ttlMs() : 0;
    }
    int policy = policy(queue);
    return policy == Slab.NONE ? 0 : policies.ttlMs(policy);
  }

  /**
   * Puts a written task among those that expire.
   *
   * @param ttlMs 0 if it stays as it was
   */
  void expires(int task, long ttlMs, long nowMs) {
    if (hasLevel && ttlMs != 0) {
      expiries.set(task, expiresMs(ttlMs, nowMs));
    }
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
      effects.task(EffectKinds.LAPSED, task);
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
          && findDeadQueue(queue, rules)) {
        inFlight.end(task, queue);
        move(task, DeadReasons.LAPSED, false, nowMs);
        return;
      }
    }
    table.attach(task, nowMs);
  }

  /** In strict order, what was started and is not done stays before everything else. */
  private void keepPlace(int task, int queue) {
    int policy = ruled.policy(queue);
    if (policy != Slab.NONE && policies.order(policy) == Orders.STRICT) {
      fronts.set(queue, task, tasks.idHigh(task), tasks.idLow(task));
    }
  }

  private void lapses(int task, int lapses) {
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
   * Forgets what there was of a detached task that is removed.
   *
   * @param isDone whether a client deletes it: work on it that was in flight has succeeded
   */
  void deleted(int task, int queue, boolean isDone, long nowMs) {
    boolean isRuled = queues.rules(queue) != Slab.NONE;
    if (isRuled) {
      settle(task, nowMs);
      int hold = tasks.hold(task);
      if (isDone && (Holds.isInFlight(hold) || hold == Holds.LAPSED)) {
        outcomes.succeeded(queue);
      }
    }
    inFlight.end(task, queue);
    expiries.remove(task);
    if (isRuled) {
      leave(task, queue, nowMs);
    }
  }

  /** A detached task leaves its queue: it is deleted or moves. */
  private void leave(int task, int queue, long nowMs) {
    if (!hasLevel) {
      return;
    }
    fronts.drop(queue, task);
    int policy = ruled.policy(queue);
    long rememberMs = policy == Slab.NONE ? 0 : policies.rememberIdsMs(policy);
    if (rememberMs > 0) {
      remember(tasks.idHigh(task), tasks.idLow(task), ArrivalTime.saturatedSum(nowMs, rememberMs));
    }
  }

  private void remember(long idHigh, long idLow, long untilMs) {
    int known = rememberedIds.find(idHigh, idLow);
    if (known == Slab.NONE) {
      known = rememberedIds.add(idHigh, idLow, untilMs);
    } else {
      digest.remove(rememberedIds.hash(known));
      rememberedIds.untilMs(known, Math.max(untilMs, rememberedIds.untilMs(known)));
    }
    digest.add(rememberedIds.hash(known));
  }

  /**
   * Looks at a detached task before a change. {@link #afterChange} follows.
   *
   * @param isByHolder whether the requester is the claimant, whose lease may have ended
   */
  void beforeChange(
      int task, ChangeDecoder change, DirectBuffer command, boolean isByHolder, long nowMs) {
    if (!hasLevel) {
      return;
    }
    settle(task, nowMs);
    formerQueue = tasks.queue(task);
    formerHold = tasks.hold(task);
    formerAttempt = tasks.attempt(task);
    formerLeaseMs = ArrivalTime.saturatedSum(tasks.arrivalMs(task), -tasks.modifiedMs(task));
    isHolders = Holds.isInFlight(formerHold) || (formerHold == Holds.LAPSED && isByHolder);
    hasOtherContent =
        isHolders && change.mode() != ChangeModes.LEASE && !hasContent(task, change, command);
  }

  private boolean hasContent(int task, TaskItem item, DirectBuffer command) {
    tasks.value(task, value);
    tasks.err(task, err);
    return tasks.valueKind(task) == item.valueKind()
        && value.matches(command, item.valueOffset(), item.valueLength())
        && err.matches(command, item.errOffset(), item.errLength());
  }

  /**
   * Decides what a change says about the work on a task, from what was before; the task has its new
   * fields. Attaches it.
   *
   * @return whether a policy took the change for a failure, and decided what becomes of the task
   */
  boolean afterChange(int task, int mode, long nowMs) {
    if (!hasLevel) {
      table.attach(task, nowMs);
      return false;
    }
    boolean isMoved = tasks.queue(task) != formerQueue;
    long lengthMs = ArrivalTime.saturatedSum(tasks.arrivalMs(task), -nowMs);
    boolean isFailed = isHolders && tasks.attempt(task) > formerAttempt;
    if (isFailed && !isMoved && hasRetry(formerQueue)) {
      decide(task, POLICY_DELAY, nowMs);
      return true;
    }
    int hold = Holds.NONE;
    if (isFailed) {
      countFailure(formerQueue, nowMs);
      hold = !isMoved && lengthMs > 0 ? Holds.RESTING : Holds.NONE;
    } else if (isHolders && !isMoved && lengthMs > 0 && mode != ChangeModes.RESET_CLAIMS) {
      hold = renewed(mode, lengthMs);
    }
    if (isHolders && !isFailed && hold == Holds.NONE && !isDeferral(mode, isMoved, lengthMs)) {
      outcomes.succeeded(formerQueue);
    }
    inFlight.hold(task, formerQueue, hold);
    lapsesAfterChange(task, mode, hold, isMoved || isFailed);
    if (isMoved) {
      if (isFailed) {
        buried(task, nowMs);
      }
      leave(task, formerQueue, nowMs);
    } else if (isHolders && (isFailed || lengthMs <= 0)) {
      keepPlace(task, formerQueue);
    } else if (hold == Holds.NONE && lengthMs > 0) {
      fronts.drop(formerQueue, task);
    }
    table.attach(task, nowMs);
    return false;
  }

  /** A worker that moves a failed task to the dead queue by itself has it recorded as dead. */
  private void buried(int task, long nowMs) {
    int policy = ruled.policy(formerQueue);
    if (policy != Slab.NONE
        && findDeadQueue(formerQueue, policies.rules(policy))
        && queues.isNamed(tasks.queue(task), target.buffer(), target.offset(), target.length())) {
      outcomes.countDead(formerQueue);
      attributes.read(tasks, task);
      queues.name(formerQueue, attributes.origin());
      attributes.died(DeadReasons.FAILED, nowMs).write(tasks, task);
    }
  }

  /** A lease change that puts the task off says nothing about the work. */
  private static boolean isDeferral(int mode, boolean isMoved, long lengthMs) {
    return mode == ChangeModes.LEASE && !isMoved && lengthMs > 0;
  }

  private boolean hasRetry(int queue) {
    int policy = ruled.policy(queue);
    return policy != Slab.NONE && hasRetry(policies.rules(policy));
  }

  private static boolean hasRetry(PolicyDecoder rules) {
    return (rules.retryBaseMs() | rules.retryMaxMs()) != 0
        || (rules.retryFactorMilli() | rules.retryJitterMilli() | rules.attemptsMax()) != 0;
  }

  /**
   * A renewal is as long as the lease was, or shorter. A lease change that is more than twice as
   * long puts the task off. Other changes come with the clock of the client, so a task that may be
   * worked on still counts; but it has been spoken of.
   */
  private int renewed(int mode, long lengthMs) {
    boolean isLong = lengthMs - formerLeaseMs > formerLeaseMs;
    if (mode == ChangeModes.LEASE) {
      if (isLong) {
        return Holds.NONE;
      }
      return formerHold == Holds.SPOKEN ? Holds.SPOKEN : Holds.HELD;
    }
    return hasOtherContent || formerHold == Holds.SPOKEN || isLong ? Holds.SPOKEN : Holds.HELD;
  }

  /**
   * A renewal after the end of a lease undoes the lapse; work that is done or written clears all.
   */
  private void lapsesAfterChange(int task, int mode, int hold, boolean isOver) {
    int lapses = attributes.read(tasks, task).lapses();
    if (lapses == 0) {
      return;
    }
    boolean isRenewal = Holds.isInFlight(hold) && !hasOtherContent;
    if (isRenewal) {
      lapses(task, formerHold == Holds.LAPSED ? lapses - 1 : lapses);
    } else if (isOver || mode != ChangeModes.LEASE) {
      lapses(task, 0);
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
  private void decide(int task, long delayMs, long nowMs) {
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
        if (findDeadQueue(queue, rules)) {
          inFlight.end(task, queue);
          effects.task(EffectKinds.FAILED, task);
          move(task, DeadReasons.FAILED, true, nowMs);
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

  private void countFailure(int queue, long nowMs) {
    int policy = ruled.policy(queue);
    if (policy != Slab.NONE) {
      PolicyDecoder rules = policies.rules(policy);
      if (rules.breakerFailures() > 0) {
        long endMs = ArrivalTime.saturatedSum(nowMs, rules.breakerPauseMs());
        outcomes.failed(queue, rules.breakerFailures(), endMs);
      }
    }
  }

  /** The same on every machine, as StrictMath is. */
  private long restMs(PolicyDecoder rules, int attempt) {
    int factorMilli = rules.retryFactorMilli() == 0 ? FACTOR_MILLI : rules.retryFactorMilli();
    double factor = StrictMath.pow((double) factorMilli / MILLI, Math.max(0L, attempt - 1L));
    long maxMs = rules.retryMaxMs() > 0 ? rules.retryMaxMs() : REST_MS_MAX;
    // A product that is too large for 64 bits becomes the largest number.
    long restMs = Math.min(maxMs, (long) (rules.retryBaseMs() * factor));
    if (rules.retryJitterMilli() > 0) {
      long span = restMs * rules.retryJitterMilli() / MILLI;
      restMs -= (random.next() >>> 1) % (span + 1);
    }
    return restMs;
  }

  // Moves by the server.

  /** Points to the dead queue of a queue; false if its name would be too long. */
  private boolean findDeadQueue(int queue, PolicyDecoder rules) {
    if (rules.deadQueueLength() > 0) {
      target.set(rules.buffer(), rules.deadQueueOffset(), rules.deadQueueLength());
      return true;
    }
    queues.name(queue, target);
    int length = target.length();
    if (length + ERR.length > FieldLimits.TEXT_BYTES_MAX) {
      return false;
    }
    errName.putBytes(0, target.buffer(), target.offset(), length);
    errName.putBytes(length, ERR);
    target.set(errName, 0, length + ERR.length);
    return true;
  }

  /**
   * Moves a detached task that is not in flight to the target, and attaches it there. Its queue may
   * then be unused.
   *
   * @param isRaised whether it has its new version already
   */
  private void move(int task, int reason, boolean isRaised, long nowMs) {
    int queue = tasks.queue(task);
    // First, because what follows looks up other policies, to which the target would then refer.
    int targetQueue = queues.findOrAdd(target.buffer(), target.offset(), target.length());
    leave(task, queue, nowMs);
    outcomes.countDead(queue);
    attributes.read(tasks, task);
    queues.name(queue, attributes.origin());
    attributes.lapses(0).expiresMs(0).died(reason, nowMs).write(tasks, task);
    expiries.remove(task);
    tasks.queue(task, targetQueue);
    tasks.arrivalMs(task, nowMs);
    tasks.modifiedMs(task, nowMs);
    if (!isRaised && tasks.version(task) < Integer.MAX_VALUE) {
      tasks.version(task, tasks.version(task) + 1);
    }
    table.claimant(task, 0, 0, false);
    table.attach(task, nowMs);
    effects.task(EffectKinds.DIED, task);
    digest.happened(tasks.idLow(task), tasks.version(task));
  }

  /** The policy that applies to a queue now, or {@link Slab#NONE}. */
  int policy(int queue) {
    if (queues.isPlain(queue)) {
      return Slab.NONE;
    }
    ruled.touch(queue);
    return ruled.policy(queue);
  }

  /** Makes room in a queue: its oldest ready task dies, or is deleted. The queue stays. */
  void dropOldest(int queue, long nowMs) {
    int task = table.oldestReady(queue);
    table.detach(task);
    PolicyDecoder rules = policies.rules(ruled.policy(queue));
    boolean dies = (rules.deadQueueLength() > 0 || hasRetry(rules)) && findDeadQueue(queue, rules);
    inFlight.end(task, queue);
    if (dies) {
      move(task, DeadReasons.OVERFLOW, false, nowMs);
    } else {
      outcomes.countDead(queue);
      digest.happened(tasks.idLow(task), tasks.version(task));
      table.attach(task, nowMs);
      table.delete(task, EffectKinds.DROPPED, nowMs);
    }
  }

  // Time.

  /** Ends what has expired, up to the bounds of a step; the rest is due at once. */
  void advance(long nowMs) {
    for (int i = 0; i < ENDED_PER_STEP_MAX && expiries.firstDeadlineMs() <= nowMs; i++) {
      expire(expiries.root(), nowMs);
    }
    for (int i = 0; i < ENDED_PER_STEP_MAX && rememberedIds.firstDeadlineMs() <= nowMs; i++) {
      digest.remove(rememberedIds.hash(rememberedIds.root()));
      rememberedIds.remove(rememberedIds.root());
    }
  }

  private void expire(int task, long nowMs) {
    int queue = tasks.queue(task);
    int policy = policy(queue);
    PolicyDecoder rules = policy == Slab.NONE ? null : policies.rules(policy);
    if (rules != null && rules.expiredQueueLength() > 0) {
      table.detach(task);
      settle(task, nowMs);
      inFlight.end(task, queue);
      // Again, because the queue may have looked up its policy meanwhile.
      rules = policies.rules(policy);
      target.set(rules.buffer(), rules.expiredQueueOffset(), rules.expiredQueueLength());
      move(task, DeadReasons.EXPIRED, false, nowMs);
      queues.removeIfUnused(queue);
    } else {
      outcomes.countDead(queue);
      digest.happened(tasks.idLow(task), tasks.version(task));
      table.delete(task, EffectKinds.EXPIRED, nowMs);
    }
  }

  /** Whether the id of a task to insert is still taken, though its task is gone. */
  boolean isRemembered(long idHigh, long idLow, long nowMs) {
    int known = rememberedIds.find(idHigh, idLow);
    return known != Slab.NONE && rememberedIds.untilMs(known) > nowMs;
  }
}
