package io.entroq.api.worker;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.Optional;

/**
 * Writes what one task has come to, trying again while the queue fails and the lease goes on. For
 * the thread that worked on the task.
 */
final class TaskCommit {
  private final Worker worker;
  private final WorkerConfig<?> config;
  private final WorkerCounters counters;
  private final Task task;

  /** What is to be written; something else if what the handler wants is refused. */
  private Outcome outcome;

  /** An earlier try may have been done. */
  private boolean unsure;

  /** Nothing that could be written is accepted, or the task is somebody else's. */
  private boolean hopeless;

  private int failures;

  TaskCommit(
      Worker worker, WorkerConfig<?> config, WorkerCounters counters, Task task, Outcome outcome) {
    this.worker = worker;
    this.config = config;
    this.counters = counters;
    this.task = task;
    this.outcome = config.plan().decide(outcome, task);
  }

  /**
   * Writes it. Between tries the lease is renewed as before.
   *
   * @return the next task, if the commit claimed one
   * @throws EntroQException.Closed if the queue is closed
   */
  Optional<Task> run(Renewer renewer, Lease lease) {
    while (true) {
      Optional<Task> newest = renewer.take(lease);
      if (newest.isEmpty()) {
        return lost();
      }
      Duration pause = Duration.ZERO;
      try {
        ModifyResult result = config.queue().modify(modification(newest.get()));
        if (result instanceof ModifyResult.Committed committed) {
          return committed(committed);
        }
        pause = notCommitted(result);
      } catch (EntroQException.InvalidArgument e) {
        refused(e.getMessage());
      } catch (EntroQException.Closed e) {
        throw e;
      } catch (RuntimeException e) {
        pause = failed(e);
      }
      if (hopeless || worker.isAbandoning()) {
        return lost();
      }
      renewer.putBack(lease);
      worker.pauseUnlessAbandoning(pause);
    }
  }

  private Modification modification(Task newest) {
    Modification modification = config.plan().modification(outcome, task, newest);
    return config.claimWithCommit() && !worker.isStopping()
        ? modification.thenClaim(config.claim())
        : modification;
  }

  private Optional<Task> committed(ModifyResult.Committed result) {
    counters.committed(outcome);
    config.listener().onCommitted(task, outcome);
    return result.next();
  }

  private Duration notCommitted(ModifyResult result) {
    if (!(result instanceof ModifyResult.DependencyFailure failure)) {
      return failed(new EntroQException.OutcomeUnknown(result.toString()));
    }
    if (failure.concerns(task.id())) {
      giveUp(failure.toString());
    } else {
      refused(failure.toString());
    }
    return Duration.ZERO;
  }

  /** What the handler wants is not possible, so the task has failed. */
  private void refused(String reason) {
    boolean ownWords = outcome instanceof Outcome.Retry || outcome instanceof Outcome.Quarantine;
    if (ownWords || outcome instanceof Outcome.Release) {
      giveUp("its end cannot be committed: " + reason);
    } else {
      counters.handlerFailures.increment();
      outcome = config.plan().decide(Outcome.retry(reason), task);
    }
  }

  private void giveUp(String reason) {
    hopeless = true;
    config.listener().onLeaseLost(task, reason);
  }

  private Duration failed(RuntimeException failure) {
    boolean nothingDone =
        failure instanceof EntroQException.ResourceExhausted
            || failure instanceof EntroQException.Unavailable;
    unsure |= !nothingDone;
    failures++;
    Duration pause = config.requestBackoff().after(failures);
    counters.queueFailures.increment();
    config.listener().onQueueFailed(failure, pause);
    return pause;
  }

  private Optional<Task> lost() {
    if (unsure) {
      counters.unknown.increment();
      config.listener().onOutcomeUnknown(task, outcome);
    } else {
      counters.lost.increment();
    }
    return Optional.empty();
  }
}
