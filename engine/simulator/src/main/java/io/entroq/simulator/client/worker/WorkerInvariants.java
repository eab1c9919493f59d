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
 * Invariants of the workers' tasks, checked when they are inserted, handled and deleted. A
 * permitted loss voids what was known.
 */
final class WorkerInvariants {
  private static final String CLAIMED_IN_VAIN = " times, neither done nor failed";

  /** Another handler has counted in the same doc meanwhile, or the doc was not read in time. */
  private static final String DOCS = "docs";

  private static final int PAST_MAX = 20_000;

  private final Long2ObjectHashMap<TaskHistory> invariants = new Long2ObjectHashMap<>();

  /** Tasks known to be inserted, the oldest first; some have ended. */
  private final Deque<TaskHistory> inserted = new ArrayDeque<>();

  /** Ended tasks, the oldest first, until they are forgotten. */
  private final Deque<TaskHistory> past = new ArrayDeque<>();

  private final WorkCounters counters = new WorkCounters();
  private int open;

  /** The number of open tasks, as far as known. */
  int open() {
    return open;
  }

  /**
   * A task is about to be inserted.
   *
   * @param healthyNs how long the engine has been healthy
   */
  TaskHistory planned(Work work, long healthyNs) {
    WorkCounter counter = work.kind() == WorkKind.COUNTED ? counters.of(work) : null;
    TaskHistory history = new TaskHistory(work, healthyNs, counter);
    invariants.put(work.number(), history);
    open++;
    return history;
  }

  /** A task was inserted, so it must end. */
  void inserted(TaskHistory history) {
    if (isKnown(history)) {
      inserted.add(history);
    }
  }

  /** It is unknown whether a task was inserted, so nothing is expected of it. */
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

  /** The engine has lost something, as it may, so everything known is void. */
  void lost() {
    invariants.clear();
    inserted.clear();
    past.clear();
    counters.lost();
    open = 0;
  }

  /** The counter for a work item; null if it is not counted. */
  WorkCounter counter(Work work) {
    TaskHistory history = invariants.get(work.number());
    return history == null ? null : history.counter;
  }

  /**
   * Fails unless all work was counted correctly; after the end of all work.
   *
   * @param docs all docs that count work
   */
  void requireCounted(List<Doc> docs) {
    counters.requireCounted(docs);
  }

  /** A handler starts to work on a task. */
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

  /** A result task was claimed. */
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

  /** A quarantined task was claimed. */
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

  /** Fails if a task inserted before a time of health has not ended. */
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
