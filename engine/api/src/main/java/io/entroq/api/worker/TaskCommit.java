package io.entroq.api.worker;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.Optional;

/**
 * What is written of that which one task has come to, and what follows from the answers. One
 * thread.
 */
final class TaskCommit {
  private static final Optional<Duration> AT_ONCE = Optional.of(Duration.ZERO);

  private final WorkRules<?> rules;
  private final WorkerCounters counters;
  private final Task task;

  /** What is to be written; something else if what the handler wants is refused. */
  private Outcome outcome;

  /** An earlier try may have been done. */
  private boolean isInDoubt;

  private int failures;

  TaskCommit(WorkRules<?> rules, WorkerCounters counters, Task task, Outcome outcome) {
    this.rules = rules;
    this.counters = counters;
    this.task = task;
    this.outcome = rules.plan().decide(outcome, task);
  }

  /** What to write while this is the newest version. */
  Modification modification(Task newest) {
    return rules.plan().modification(outcome, task, newest);
  }

  /** It is written. */
  void committed() {
    counters.committed(outcome);
    rules.listener().onCommitted(task, outcome);
  }

  /** Whether an earlier try may have been done. */
  boolean isInDoubt() {
    return isInDoubt;
  }

  /** It will not be written any more, or nobody knows whether it was. */
  void lost() {
    if (isInDoubt) {
      counters.unknown.increment();
      rules.listener().onOutcomeUnknown(task, outcome);
    } else {
      counters.lost.increment();
    }
  }

  /**
   * It was not written, as far as is known.
   *
   * @return the pause before the next try; empty if trying is of no use
   */
  Optional<Duration> notCommitted(ModifyResult result) {
    if (!(result instanceof ModifyResult.DependencyFailure failure)) {
      return tryLater(new EntroQException.OutcomeUnknown(result.toString()));
    }
    return failure.concerns(task.id())
        ? giveUp(failure.toString())
        : tryAnother(failure.toString());
  }

  /** The same, after a request that failed. */
  Optional<Duration> failed(RuntimeException failure) {
    return failure instanceof EntroQException.InvalidArgument
            || failure instanceof EntroQException.PermissionDenied
        ? tryAnother(failure.getMessage())
        : tryLater(failure);
  }

  /** What the handler wants is not possible, so the task has failed. */
  private Optional<Duration> tryAnother(String reason) {
    boolean ownWords = outcome instanceof Outcome.Retry || outcome instanceof Outcome.Quarantine;
    if (ownWords || outcome instanceof Outcome.Release) {
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

  private Optional<Duration> tryLater(RuntimeException failure) {
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
