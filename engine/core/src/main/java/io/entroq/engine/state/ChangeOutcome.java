package io.entroq.engine.state;

import io.entroq.codec.command.ChangeDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.effect.EffectFlags;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.MessageRules;
import io.entroq.engine.policy.Outcomes;
import io.entroq.engine.policy.StrictFronts;
import io.entroq.engine.queue.InFlight;
import io.entroq.engine.task.ArrivalTime;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.Holds;
import io.entroq.engine.task.TaskAttributes;
import io.entroq.engine.task.TaskStore;
import org.agrona.DirectBuffer;

/**
 * Decides what a change says about the work on a task, by what is written and by whom: it goes on,
 * has succeeded or has failed, or the task is put off.
 */
final class ChangeOutcome {

  private final TaskStore tasks;
  private final InFlight inFlight;
  private final Outcomes outcomes;
  private final StrictFronts fronts;
  private final TaskTable table;
  private final Failures failures;
  private final DeadQueues deadQueues;
  private final TaskAttributes attributes = new TaskAttributes();
  private final Bytes value = new Bytes();
  private final Bytes err = new Bytes();
  private boolean hasLevel;

  // Of the task that is being changed, before the change.
  private int formerQueue;
  private int formerHold;
  private int formerAttempt;
  private long formerLeaseMs;
  private boolean isHolders;
  private boolean hasOtherContent;

  private boolean isFailed;

  ChangeOutcome(Stores stores, TaskTable table, Failures failures, DeadQueues deadQueues) {
    this.tasks = stores.tasks;
    this.inFlight = stores.inFlight;
    this.outcomes = stores.ruled.outcomes();
    this.fronts = stores.ruled.fronts();
    this.table = table;
    this.failures = failures;
    this.deadQueues = deadQueues;
  }

  /** Begins a step at a behavior level. */
  void step(int level) {
    hasLevel = level >= Levels.POLICIES;
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
    failures.settle(task, nowMs);
    formerQueue = tasks.queue(task);
    formerHold = tasks.hold(task);
    formerAttempt = tasks.attempt(task);
    formerLeaseMs = ArrivalTime.saturatedSum(tasks.arrivalMs(task), -tasks.modifiedMs(task));
    isHolders = Holds.isInFlight(formerHold) || (formerHold == Holds.LAPSED && isByHolder);
    hasOtherContent =
        isHolders && !MessageRules.isLeaseOnly(change.mode()) && !hasContent(task, change, command);
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
    isFailed = isHolders && tasks.attempt(task) > formerAttempt;
    if (isFailed && !isMoved && failures.hasRetry(formerQueue)) {
      failures.decide(task, Failures.POLICY_DELAY, nowMs);
      return true;
    }
    int hold = Holds.NONE;
    if (isFailed) {
      failures.countFailure(formerQueue, nowMs);
      hold = !isMoved && lengthMs > 0 ? Holds.RESTING : Holds.NONE;
    } else if (isHolders && !isMoved && lengthMs > 0 && mode != ChangeModes.RESET_CLAIMS) {
      hold = renewed(mode, lengthMs);
    }
    if (isHolders && !isFailed && hold == Holds.NONE && !isSilent(mode, isMoved, lengthMs)) {
      outcomes.succeeded(formerQueue);
    }
    inFlight.hold(task, formerQueue, hold);
    lapsesAfterChange(task, mode, hold, isMoved || isFailed);
    if (isMoved) {
      if (isFailed) {
        deadQueues.moved(task, formerQueue, nowMs);
      }
      deadQueues.leave(task, formerQueue, nowMs);
    } else if (isHolders && (isFailed || lengthMs <= 0)) {
      failures.keepPlace(task, formerQueue);
    } else if (hold == Holds.NONE && lengthMs > 0) {
      fronts.drop(formerQueue, task);
    }
    table.attach(task, nowMs);
    return false;
  }

  /** Flags of the effect of the change that was decided last. */
  int effectFlags() {
    if (!hasLevel) {
      return 0;
    }
    return (isHolders ? EffectFlags.WAS_IN_FLIGHT : 0) | (isFailed ? EffectFlags.FAILED : 0);
  }

  /**
   * Somebody else ended the work, or a lease change puts the task off: neither tells how it went.
   */
  private static boolean isSilent(int mode, boolean isMoved, long lengthMs) {
    return mode == ChangeModes.TAKE_BACK || (mode == ChangeModes.LEASE && !isMoved && lengthMs > 0);
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
      failures.lapses(task, formerHold == Holds.LAPSED ? lapses - 1 : lapses);
    } else if (isOver || !MessageRules.isLeaseOnly(mode)) {
      failures.lapses(task, 0);
    }
  }
}
