package io.entroq.api.worker;

import io.entroq.api.Claim;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** One thread of a worker: performs its steps. */
final class WorkerLoop<T> implements Runnable {
  private final Worker worker;
  private final WorkerConfig<T> config;
  private final WorkerSteps<T> steps;
  private final Renewer renewer;

  private volatile Thread thread;
  private volatile CompletableFuture<List<Task>> pendingClaim;
  private volatile ActiveWork<T> active;
  private volatile Lease lease;

  WorkerLoop(Worker worker, WorkerConfig<T> config, WorkerSteps<T> steps, Renewer renewer) {
    this.worker = worker;
    this.config = config;
    this.steps = steps;
    this.renewer = renewer;
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    try {
      WorkerStep step = steps.begin();
      while (!(step instanceof WorkerStep.End)) {
        step = perform(step);
      }
      worker.stopClaiming();
    } finally {
      worker.loopEnded();
    }
  }

  /** Cancels a waiting claim. */
  void cancelClaim() {
    CompletableFuture<List<Task>> claim = pendingClaim;
    if (claim != null) {
      claim.cancel(false);
    }
  }

  /** Cancels a running handler. */
  void cancelHandler() {
    ActiveWork<T> work = active;
    if (work != null) {
      work.cancel(ActiveWork.Cancellation.CLOSING);
    }
  }

  /** Drops the lease of a task whose handler does not end. */
  void abandon() {
    Lease held = lease;
    if (held != null) {
      renewer.drop(held);
    }
  }

  boolean isOnThisThread() {
    return Thread.currentThread() == thread;
  }

  /** Performs a step; no failure ends the loop. */
  private WorkerStep perform(WorkerStep step) {
    try {
      if (step instanceof WorkerStep.ClaimTask claim) {
        return claim(claim.claim());
      } else if (step instanceof WorkerStep.HoldLease hold) {
        return hold(hold.task());
      } else if (step instanceof WorkerStep.Handle) {
        return handle(active);
      } else if (step instanceof WorkerStep.TakeLease) {
        return take();
      } else if (step instanceof WorkerStep.Commit commit) {
        return commit(commit.modification());
      } else if (step instanceof WorkerStep.Release release) {
        return release(release.modification());
      } else if (step instanceof WorkerStep.PutBack putBack) {
        return putBack(putBack);
      }
      return pause(((WorkerStep.Pause) step).length());
    } catch (Throwable e) {
      // An Error too: a worker that silently lost a thread is worse than one that continues.
      abandon();
      return steps.failed(e);
    }
  }

  private WorkerStep claim(Claim request) throws Exception {
    active = null;
    lease = null;
    CompletableFuture<List<Task>> claim = config.queue().claimAsync(request);
    pendingClaim = claim;
    if (worker.closing().isStopping()) {
      claim.cancel(false);
    }
    List<Task> tasks;
    try {
      // Uninterruptible: interrupts are meant for handlers, and the claim may have succeeded.
      tasks = claim.join();
    } catch (CancellationException e) {
      tasks = List.of();
    } catch (CompletionException e) {
      if (e.getCause() instanceof EntroQException.TimedOut) {
        // The queue has a time for each call: claim anew.
        tasks = List.of();
      } else {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    } finally {
      pendingClaim = null;
    }
    return steps.claimed(tasks);
  }

  private WorkerStep hold(Task task) {
    ActiveWork<T> work =
        new ActiveWork<>(
            config.queue(),
            task,
            config.rules().claim().queues(),
            claim -> claimDocs(claim, lease));
    active = work;
    if (worker.closing().isAbandoning()) {
      cancelHandler();
    }
    lease =
        renewer.hold(
            task,
            config.rules().maxRuntime(),
            () -> work.cancel(ActiveWork.Cancellation.OVERDUE),
            reason -> leaseLost(work, reason));
    return steps.held();
  }

  private void leaseLost(ActiveWork<T> work, String reason) {
    work.cancel(ActiveWork.Cancellation.LEASE_LOST);
    config.rules().listener().onLeaseLost(work.task(), reason);
  }

  private WorkerStep handle(ActiveWork<T> work) {
    if (!work.begin(steps.value())) {
      return steps.handled(Outcome.release(), true);
    }
    Outcome outcome;
    try {
      outcome = run(work);
    } catch (Throwable e) {
      return work.isOverdue() ? steps.overran(e) : steps.threw(e, work.isCancelled());
    }
    return work.isOverdue() ? steps.overran(null) : steps.handled(outcome, work.isCancelled());
  }

  /** Clears interrupts after the handler: the commit must not be cancelled. */
  private Outcome run(ActiveWork<T> work) throws Exception {
    try {
      return config.rules().listener().around(work, () -> outcome(work));
    } catch (OutcomeException e) {
      return e.outcome();
    } finally {
      work.end();
    }
  }

  /** Refuses here what cannot be committed, so that listeners see the failure. */
  private Outcome outcome(ActiveWork<T> work) throws Exception {
    Outcome outcome;
    try {
      outcome = config.handler().handle(work);
    } catch (OutcomeException e) {
      outcome = e.outcome();
    }
    Optional<String> flaw = CommitPlan.flaw(outcome, work.task().id());
    if (flaw.isPresent()) {
      throw new IllegalStateException(flaw.get());
    }
    return outcome;
  }

  private WorkerStep take() {
    Optional<Task> unused = renewer.take(lease);
    return steps.taken(lease);
  }

  /** Claims doc sets with the current task; its lease is not renewed meanwhile. */
  private DocClaimResult claimDocs(DocClaim claim, Lease held) {
    Task newest =
        renewer
            .take(held)
            .orElseThrow(() -> new CancellationException("the lease of the task is lost"));
    try {
      DocClaimResult result = config.queue().claimDocs(claim.withTask(newest).withClaimant(""));
      if (result instanceof DocClaimResult.Claimed claimed) {
        held.add(HeldSet.of(claimed));
      }
      return result;
    } finally {
      renewer.resume(held);
    }
  }

  private WorkerStep commit(Modification modification) {
    ModifyResult result;
    try {
      result = config.queue().modify(modification);
    } catch (RuntimeException e) {
      return steps.notAnswered(e);
    }
    return steps.answered(result);
  }

  private WorkerStep release(Modification modification) {
    ModifyResult result;
    try {
      result = config.queue().modify(modification);
    } catch (RuntimeException e) {
      return steps.notReleased(e);
    }
    return steps.released(result);
  }

  private WorkerStep putBack(WorkerStep.PutBack step) {
    renewer.putBack(lease, step.isInDoubt());
    worker.pauseUnlessAbandoning(step.pause());
    return steps.paused();
  }

  private WorkerStep pause(Duration length) {
    worker.pauseUnlessStopping(length);
    return steps.paused();
  }
}
