package io.entroq.api.worker;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The commit of one task's outcome, with its retries. Not thread-safe. */
final class TaskCommit {
  private static final Optional<Duration> AT_ONCE = Optional.of(Duration.ZERO);

  private final WorkRules<?> rules;
  private final WorkerCounters counters;
  private final Task task;

  /** What to commit; replaced if the handler's outcome is rejected. */
  private Outcome outcome;

  /** An earlier attempt may have been applied. */
  private boolean isInDoubt;

  private int failures;

  TaskCommit(WorkRules<?> rules, WorkerCounters counters, Task task, Outcome outcome) {
    this.rules = rules;
    this.counters = counters;
    this.task = task;
    this.outcome = rules.plan().decide(outcome, task);
  }

  Modification modification(Task newest, List<HeldSet> sets) {
    return rules.plan().modification(outcome, task, newest, sets);
  }

  void committed() {
    counters.committed(outcome);
    rules.listener().onCommitted(task, outcome);
  }

  /** Whether an earlier attempt may have been applied. */
  boolean isInDoubt() {
    return isInDoubt;
  }

  /** The commit is given up. */
  void lost() {
    if (isInDoubt) {
      counters.unknown.increment();
      rules.listener().onOutcomeUnknown(task, outcome);
    } else {
      counters.lost.increment();
    }
  }

  /**
   * A commit was not applied, as far as known.
   *
   * @return the pause before the next attempt; empty to give up
   */
  Optional<Duration> notCommitted(ModifyResult result) {
    if (!(result instanceof ModifyResult.DependencyFailure failure)) {
      return retryLater(new EntroQException.OutcomeUnknown(result.toString()));
    }
    return failure.concerns(task.id()) ? giveUp(failure.toString()) : failTask(failure.toString());
  }

  /** A request failed; returns the same. */
  Optional<Duration> failed(RuntimeException failure) {
    return failure instanceof EntroQException.InvalidArgument
            || failure instanceof EntroQException.PermissionDenied
        ? failTask(failure.getMessage())
        : retryLater(failure);
  }

  /** The handler's outcome cannot be applied, so the task has failed. */
  private Optional<Duration> failTask(String reason) {
    boolean isFailure = outcome instanceof Outcome.Retry || outcome instanceof Outcome.Quarantine;
    if (isFailure || outcome instanceof Outcome.Release) {
      return giveUp("its end cannot be committed: " + reason);
    }
    counters.handlerFailures.increment();
    outcome = rules.plan().decide(Outcome.retry(reason), task);
    return AT_ONCE;
  }

  private Optional<Duration> giveUp(String reason) {
    rules.listener().onLeaseLost(task, reason);
    return Optional.empty();
  }

  private Optional<Duration> retryLater(RuntimeException failure) {
    isInDoubt |= !didNothing(failure);
    failures++;
    Duration pause = rules.requestPause().apply(failures);
    counters.queueFailures.increment();
    rules.listener().onQueueFailed(failure, pause);
    return Optional.of(pause);
  }

  /** Whether a failed request certainly did nothing. */
  static boolean didNothing(Throwable failure) {
    return failure instanceof EntroQException.ResourceExhausted
        || failure instanceof EntroQException.Unavailable;
  }
}
