package io.entroq.simulator.client.worker;

import io.entroq.api.Doc;
import io.entroq.api.Task;
import io.entroq.api.worker.Outcome;
import io.entroq.simulator.check.Invariant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * What must be true of the tasks of workers, seen from those who insert, handle and bury them. What
 * the engine has lost, as it may, binds nobody.
 */
final class WorkerInvariants {
  private static final String CLAIMED_IN_VAIN = " times, neither done nor failed";

  /** Others have counted in the same doc meanwhile, or it was not told in time. */
  private static final String DOCS = "docs";

  private static final int PAST_MAX = 20_000;

  private final Long2ObjectHashMap<TaskHistory> fates = new Long2ObjectHashMap<>();

  /** Those that are known to be inserted, the oldest first, some of them over. */
  private final Deque<TaskHistory> inserted = new ArrayDeque<>();

  /** Those that are over, the oldest first, until they are forgotten. */
  private final Deque<TaskHistory> past = new ArrayDeque<>();

  private final WorkCounters tallies = new WorkCounters();
  private int open;

  /** How many tasks are on their way, as far as is known. */
  int open() {
    return open;
  }

  /**
   * Somebody is about to insert a task.
   *
   * @param healthyNs for how long the engine has been well
   */
  TaskHistory planned(Work work, long healthyNs) {
    WorkCounter tally = work.deed() == WorkKind.COUNTED ? tallies.of(work) : null;
    TaskHistory fate = new TaskHistory(work, healthyNs, tally);
    fates.put(work.number(), fate);
    open++;
    return fate;
  }

  /** A task is inserted, so it has to come to an end. */
  void inserted(TaskHistory fate) {
    if (isKnown(fate)) {
      inserted.add(fate);
    }
  }

  /** Nobody knows whether a task is inserted, and nothing is expected of it. */
  void unknown(TaskHistory fate) {
    if (isKnown(fate)) {
      fates.remove(fate.work.number());
      open--;
      if (fate.tally != null && fate.runs > 0) {
        tallies.spoil(fate.tally);
      }
    }
  }

  private boolean isKnown(TaskHistory fate) {
    return fates.get(fate.work.number()) == fate;
  }

  /** The engine has lost something, as it may: nothing that was known is of any worth. */
  void lost() {
    fates.clear();
    inserted.clear();
    past.clear();
    tallies.lost();
    open = 0;
  }

  /** Where a handler is to count some work if it does it; null: nowhere. */
  WorkCounter tally(Work work) {
    TaskHistory fate = fates.get(work.number());
    return fate == null ? null : fate.tally;
  }

  /**
   * Fails if work was not counted as it was done; once all of it is over.
   *
   * @param docs all in which there is work counted
   */
  void requireCounted(List<Doc> docs) {
    tallies.requireCounted(docs);
  }

  /** A handler is given a task to work on. */
  void handled(Task task, Work work) {
    check(
        task.attempt() < WorkersConfig.MAX_ATTEMPTS,
        Invariant.QUARANTINED_AFTER_MAX_ATTEMPTS,
        task,
        "fewer than " + WorkersConfig.MAX_ATTEMPTS + " failures");
    check(
        task.claims() - task.attempt() <= WorkersConfig.MAX_CLAIMS,
        Invariant.QUARANTINED_AFTER_MAX_CLAIMS,
        task,
        "at most " + WorkersConfig.MAX_CLAIMS + " claims without a failure");
    check(
        work.deed() != WorkKind.UNREADABLE,
        Invariant.UNREADABLE_NEVER_HANDLED,
        task,
        "no call of the handler");
    TaskHistory fate = fates.get(work.number());
    if (fate != null) {
      boolean isBeforeDone = fate.done == null || !task.modified().isAfter(fate.done);
      boolean isBeforeError = fate.errorVersion < 0 || task.version() < fate.errorVersion;
      check(
          isBeforeDone && isBeforeError,
          Invariant.WHAT_IS_OVER_STAYS_OVER,
          task,
          "no claim any more");
      boolean isCounted = task.version() <= fate.failedVersion || task.attempt() >= fate.failures;
      check(isCounted, Invariant.FAILURES_ARE_COUNTED, task, fate.failures + " failures");
      check(
          task.attempt() <= fate.runs, Invariant.FAILURES_COUNT_ONCE, task, "at most " + fate.runs);
      fate.runs++;
    }
  }

  /** The end of a task is committed. */
  void committed(Task task, Outcome outcome) {
    Work work = Work.of(task.value());
    TaskHistory fate = fates.get(work.number());
    if (fate == null) {
      return;
    }
    if (outcome instanceof Outcome.Retry) {
      fate.failures = task.attempt() + 1;
      fate.failedVersion = task.version();
    } else if (outcome instanceof Outcome.Done) {
      check(work.deed().isDoable, Invariant.FAILED_WORK_IS_NOT_COMMITTED, task, "a failure");
      check(!fate.isCommitted, Invariant.WORK_COMMITTED_ONCE, task, "no commit before");
      fate.isCommitted = true;
    }
  }

  /** Somebody has claimed a task that says that work is done. */
  void foundDone(Task task, Work work) {
    check(work.deed().isDoable, Invariant.FAILED_WORK_IS_NOT_COMMITTED, task, "a failure");
    TaskHistory fate = fates.get(work.number());
    if (fate != null) {
      check(fate.errorVersion < 0, Invariant.ONE_END, task, "an error");
      boolean isSame = fate.done == null || fate.done.equals(task.created());
      check(isSame, Invariant.WORK_COMMITTED_ONCE, task, "made at " + fate.done);
      if (fate.tally != null && fate.done == null) {
        fate.tally.done(work);
      }
      end(fate);
      fate.done = task.created();
    }
  }

  /** Somebody has claimed a task that is in quarantine. */
  void foundError(Task task, Work work) {
    checkReason(task, work.deed());
    TaskHistory fate = fates.get(work.number());
    if (fate != null) {
      check(fate.done == null && !fate.isCommitted, Invariant.ONE_END, task, "done");
      end(fate);
      fate.errorVersion = task.version();
    }
  }

  private static void checkReason(Task task, WorkKind deed) {
    String reason = task.err().substring(task.err().lastIndexOf('\n') + 1);
    int attempts = task.attempt();
    if (reason.contains(CLAIMED_IN_VAIN)) {
      return;
    }
    boolean isBesideOthers = deed == WorkKind.COUNTED && reason.contains(DOCS);
    check(
        (!deed.isDoable && deed != WorkKind.DEADLY) || isBesideOthers,
        Invariant.QUARANTINED_FOR_A_REASON,
        task,
        "no error");
    boolean isOneFailure = deed == WorkKind.UNREADABLE || deed == WorkKind.HOPELESS;
    int expected = isOneFailure ? 1 : WorkersConfig.MAX_ATTEMPTS;
    check(
        attempts == expected,
        Invariant.QUARANTINED_AFTER_MAX_ATTEMPTS,
        task,
        expected + " failures");
  }

  private void end(TaskHistory fate) {
    if (!fate.isOver()) {
      open--;
      past.add(fate);
      if (past.size() > PAST_MAX) {
        fates.remove(past.poll().work.number());
      }
    }
  }

  /** Fails if a task has not come to an end since a time of health. */
  void requireEnds(long sinceNs) {
    while (!inserted.isEmpty() && inserted.peek().isOver()) {
      inserted.poll();
    }
    TaskHistory oldest = inserted.peek();
    Invariant.TASKS_COME_TO_AN_END.require(
        oldest == null || oldest.insertedNs >= sinceNs,
        oldest == null ? "" : "task " + oldest.work.id(),
        "an end",
        oldest == null ? "" : oldest.work);
  }

  private static void check(boolean fact, Invariant rule, Task task, String expected) {
    if (!fact) {
      throw rule.broken(WorkerObserver.subject(task), expected, task);
    }
  }
}
