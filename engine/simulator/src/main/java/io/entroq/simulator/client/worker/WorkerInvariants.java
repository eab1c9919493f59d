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
 * What must be true of the tasks of workers, as seen by those who insert, handle and delete them. A
 * permitted loss by the engine voids what was known.
 */
final class WorkerInvariants {
  private static final String CLAIMED_IN_VAIN = " times, neither done nor failed";

  /** Others have counted in the same doc meanwhile, or it was not told in time. */
  private static final String DOCS = "docs";

  private static final int PAST_MAX = 20_000;

  private final Long2ObjectHashMap<TaskHistory> invariants = new Long2ObjectHashMap<>();

  /** Those that are known to be inserted, the oldest first, some of them over. */
  private final Deque<TaskHistory> inserted = new ArrayDeque<>();

  /** Those that are over, the oldest first, until they are forgotten. */
  private final Deque<TaskHistory> past = new ArrayDeque<>();

  private final WorkCounters counters = new WorkCounters();
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
    WorkCounter counter = work.kind() == WorkKind.COUNTED ? counters.of(work) : null;
    TaskHistory history = new TaskHistory(work, healthyNs, counter);
    invariants.put(work.number(), history);
    open++;
    return history;
  }

  /** A task is inserted, so it has to come to an end. */
  void inserted(TaskHistory history) {
    if (isKnown(history)) {
      inserted.add(history);
    }
  }

  /** Nobody knows whether a task is inserted, and nothing is expected of it. */
  void unknown(TaskHistory history) {
    if (isKnown(history)) {
      invariants.remove(history.work.number());
      open--;
      if (history.counter != null && history.runs > 0) {
        counters.spoil(history.counter);
      }
    }
  }

  private boolean isKnown(TaskHistory history) {
    return invariants.get(history.work.number()) == history;
  }

  /** The engine has lost something, as it may: nothing that was known is of any worth. */
  void lost() {
    invariants.clear();
    inserted.clear();
    past.clear();
    counters.lost();
    open = 0;
  }

  /** Where a handler is to count some work if it does it; null: nowhere. */
  WorkCounter counter(Work work) {
    TaskHistory history = invariants.get(work.number());
    return history == null ? null : history.counter;
  }

  /**
   * Fails if work was not counted as it was done; once all of it is over.
   *
   * @param docs all in which there is work counted
   */
  void requireCounted(List<Doc> docs) {
    counters.requireCounted(docs);
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
        work.kind() != WorkKind.UNREADABLE,
        Invariant.UNREADABLE_NEVER_HANDLED,
        task,
        "no call of the handler");
    TaskHistory history = invariants.get(work.number());
    if (history != null) {
      boolean isBeforeDone = history.done == null || !task.modified().isAfter(history.done);
      boolean isBeforeError = history.errorVersion < 0 || task.version() < history.errorVersion;
      check(
          isBeforeDone && isBeforeError,
          Invariant.WHAT_IS_OVER_STAYS_OVER,
          task,
          "no claim any more");
      boolean isCounted =
          task.version() <= history.failedVersion || task.attempt() >= history.failures;
      check(isCounted, Invariant.FAILURES_ARE_COUNTED, task, history.failures + " failures");
      check(
          task.attempt() <= history.runs,
          Invariant.FAILURES_COUNT_ONCE,
          task,
          "at most " + history.runs);
      history.runs++;
    }
  }

  /** The end of a task is committed. */
  void committed(Task task, Outcome outcome) {
    Work work = Work.of(task.value());
    TaskHistory history = invariants.get(work.number());
    if (history == null) {
      return;
    }
    if (outcome instanceof Outcome.Retry) {
      history.failures = task.attempt() + 1;
      history.failedVersion = task.version();
    } else if (outcome instanceof Outcome.Done) {
      check(work.kind().isDoable, Invariant.FAILED_WORK_IS_NOT_COMMITTED, task, "a failure");
      check(!history.isCommitted, Invariant.WORK_COMMITTED_ONCE, task, "no commit before");
      history.isCommitted = true;
    }
  }

  /** Somebody has claimed a task that says that work is done. */
  void foundDone(Task task, Work work) {
    check(work.kind().isDoable, Invariant.FAILED_WORK_IS_NOT_COMMITTED, task, "a failure");
    TaskHistory history = invariants.get(work.number());
    if (history != null) {
      check(history.errorVersion < 0, Invariant.ONE_END, task, "an error");
      boolean isSame = history.done == null || history.done.equals(task.created());
      check(isSame, Invariant.WORK_COMMITTED_ONCE, task, "made at " + history.done);
      if (history.counter != null && history.done == null) {
        history.counter.done(work);
      }
      end(history);
      history.done = task.created();
    }
  }

  /** Somebody has claimed a task that is in quarantine. */
  void foundError(Task task, Work work) {
    checkReason(task, work.kind());
    TaskHistory history = invariants.get(work.number());
    if (history != null) {
      check(history.done == null && !history.isCommitted, Invariant.ONE_END, task, "done");
      end(history);
      history.errorVersion = task.version();
    }
  }

  private static void checkReason(Task task, WorkKind kind) {
    String reason = task.err().substring(task.err().lastIndexOf('\n') + 1);
    int attempts = task.attempt();
    if (reason.contains(CLAIMED_IN_VAIN)) {
      return;
    }
    boolean isBesideOthers = kind == WorkKind.COUNTED && reason.contains(DOCS);
    check(
        (!kind.isDoable && kind != WorkKind.DEADLY) || isBesideOthers,
        Invariant.QUARANTINED_FOR_A_REASON,
        task,
        "no error");
    boolean isOneFailure = kind == WorkKind.UNREADABLE || kind == WorkKind.HOPELESS;
    int expected = isOneFailure ? 1 : WorkersConfig.MAX_ATTEMPTS;
    check(
        attempts == expected,
        Invariant.QUARANTINED_AFTER_MAX_ATTEMPTS,
        task,
        expected + " failures");
  }

  private void end(TaskHistory history) {
    if (!history.isOver()) {
      open--;
      past.add(history);
      if (past.size() > PAST_MAX) {
        invariants.remove(past.poll().work.number());
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
