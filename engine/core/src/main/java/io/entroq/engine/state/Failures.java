package io.entroq.engine.state;

import io.entroq.codec.command.ChangeDecoder;
import io.entroq.codec.command.FailDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.DeadReasons;
import io.entroq.engine.effect.EffectKinds;
import io.entroq.engine.effect.Effects;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.InFlight;
import io.entroq.engine.task.ArrivalTime;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.ExpiryIndex;
import io.entroq.engine.task.Holds;
import io.entroq.engine.task.RememberedIds;
import io.entroq.engine.task.TaskAttributes;
import io.entroq.engine.task.TaskStore;
import org.agrona.DirectBuffer;

/**
 * What becomes of tasks when work on them ends, fails or lapses, and when they expire. Decides by
 * what is written whether somebody works on a task, and keeps what few tasks have: attributes, a
 * time to expire, ids that stay taken.
 *
 * <p>Callers detach a task, call this, and attach it unless a method says that it does. What is
 * said of a hold is said after {@link #settle}: a lease that has ended has ended, whoever looks
 * first.
 */
final class Failures {

  /** Tasks that expire, and ids that are forgotten, in one step. */
  static final int ENDED_PER_STEP_MAX = 1000;

  private static final Bytes NOTHING = new Bytes();

  private final TaskStore tasks;
  private final ArrivalIndex arrivals;
  private final InFlight inFlight;
  private final ExpiryIndex expiries;
  private final RememberedIds rememberedIds;
  private final Digest digest;
  private final Effects effects;
  private final TaskTable table;
  private final TaskAttributes attributes = new TaskAttributes();
  private final Bytes stored = new Bytes();
  private final Bytes value = new Bytes();
  private final Bytes err = new Bytes();
  private final Bytes idText = new Bytes();
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
    this.arrivals = stores.arrivals;
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

  /** The attributes of a task to insert, encoded; valid until the next call. */
  Bytes ofInsert(TaskItem item, DirectBuffer command, long nowMs) {
    if (!hasLevel || (item.ttlMs() == 0 && item.traceLength() == 0)) {
      return NOTHING;
    }
    attributes.clear().expiresMs(expiresMs(item.ttlMs(), nowMs));
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

  /** Puts a written task among those that expire, where its attributes say so. */
  void expires(int task, TaskItem item, long nowMs) {
    if (hasLevel && item.ttlMs() != 0) {
      expiries.set(task, expiresMs(item.ttlMs(), nowMs));
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
    } else {
      inFlight.end(task, queue);
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
    inFlight.end(task, tasks.queue(task));
  }

  /** Forgets what there was of a detached task that is removed. */
  void deleted(int task, int queue) {
    inFlight.end(task, queue);
    expiries.remove(task);
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
   * fields.
   */
  void afterChange(int task, int mode, long nowMs) {
    if (!hasLevel) {
      return;
    }
    boolean isMoved = tasks.queue(task) != formerQueue;
    long lengthMs = ArrivalTime.saturatedSum(tasks.arrivalMs(task), -nowMs);
    boolean isFailed = isHolders && tasks.attempt(task) > formerAttempt;
    int hold = Holds.NONE;
    if (isFailed) {
      hold = !isMoved && lengthMs > 0 ? Holds.RESTING : Holds.NONE;
    } else if (isHolders && !isMoved && lengthMs > 0 && mode != ChangeModes.RESET_CLAIMS) {
      hold = renewed(mode, lengthMs);
    }
    inFlight.hold(task, formerQueue, hold);
    lapsesAfterChange(task, mode, hold, isMoved || isFailed);
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
    rest(task, fail.hasDelay() ? fail.delayMs() : 0, nowMs);
  }

  private void rest(int task, long restMs, long nowMs) {
    long arrivalMs = ArrivalTime.saturatedSum(nowMs, restMs);
    tasks.arrivalMs(task, arrivalMs);
    table.claimant(task, 0, 0, false);
    inFlight.hold(task, tasks.queue(task), arrivalMs > nowMs ? Holds.RESTING : Holds.NONE);
    lapses(task, 0);
    table.attach(task, nowMs);
    effects.task(EffectKinds.FAILED, task);
  }

  // Time.

  /** Ends what has expired, up to the bounds of a step; the rest is due at once. */
  void advance(long nowMs) {
    for (int i = 0; i < ENDED_PER_STEP_MAX && expiries.firstDeadlineMs() <= nowMs; i++) {
      int task = expiries.root();
      digest.happened(tasks.idLow(task), tasks.version(task));
      table.delete(task, EffectKinds.EXPIRED);
    }
    for (int i = 0; i < ENDED_PER_STEP_MAX && rememberedIds.firstDeadlineMs() <= nowMs; i++) {
      digest.remove(rememberedIds.hash(rememberedIds.root()));
      rememberedIds.remove(rememberedIds.root());
    }
  }

  /** Whether the id of a task to insert is still taken, though its task is gone. */
  boolean isRemembered(long idHigh, long idLow, long nowMs) {
    int known = rememberedIds.find(idHigh, idLow);
    return known != Slab.NONE && rememberedIds.untilMs(known) > nowMs;
  }
}
