package io.entroq.api.worker;

import io.entroq.api.EntroQException;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** One thread of a worker: claim, handle, commit, and again. */
final class WorkerLoop<T> implements Runnable {
  private final Worker worker;
  private final WorkerConfig<T> config;
  private final WorkerCounters counters;
  private final WorkerListener listener;
  private final Renewer renewer;

  private volatile Thread thread;
  private volatile CompletableFuture<List<Task>> pendingClaim;
  private volatile ActiveWork<T> active;
  private volatile Lease lease;
  private int failuresInRow;

  WorkerLoop(Worker worker, WorkerConfig<T> config, WorkerCounters counters, Renewer renewer) {
    this.worker = worker;
    this.config = config;
    this.counters = counters;
    this.listener = config.listener();
    this.renewer = renewer;
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    try {
      Optional<Task> next = Optional.empty();
      while (!worker.isStopping()) {
        next = round(next);
      }
      next.ifPresent(this::giveBack);
    } finally {
      worker.loopEnded();
    }
  }

  /** Ends a claim that waits. */
  void cancelClaim() {
    CompletableFuture<List<Task>> claim = pendingClaim;
    if (claim != null) {
      claim.cancel(false);
    }
  }

  /** Tells a running handler that nobody waits for it any more. */
  void cancelHandler() {
    ActiveWork<T> work = active;
    if (work != null) {
      work.cancel(ActiveWork.Cancellation.CLOSING);
    }
  }

  /** Lets go of a task whose handler does not end. */
  void abandon() {
    Lease held = lease;
    if (held != null) {
      renewer.drop(held);
    }
  }

  boolean isOnThisThread() {
    return Thread.currentThread() == thread;
  }

  /** One task from claim to commit; nothing that goes wrong on the way ends the loop. */
  private Optional<Task> round(Optional<Task> claimed) {
    try {
      Optional<Task> task = claimed.isPresent() ? claimed : claim();
      Optional<Task> next = task.isPresent() ? work(task.get()) : Optional.empty();
      failuresInRow = 0;
      return next;
    } catch (EntroQException.Closed e) {
      worker.stopClaiming();
    } catch (Throwable e) {
      // An Error too: a worker that has silently lost a thread is worse than one that goes on.
      pauseAfter(e);
    }
    return Optional.empty();
  }

  private Optional<Task> claim() throws Exception {
    CompletableFuture<List<Task>> claim = config.queue().claimAsync(config.claim());
    pendingClaim = claim;
    if (worker.isStopping()) {
      claim.cancel(false);
    }
    try {
      return claim.get().stream().findFirst();
    } catch (CancellationException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      // Only handlers are interrupted on purpose, and they are not running.
      claim.cancel(false);
      return Optional.empty();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      pendingClaim = null;
    }
  }

  private Optional<Task> work(Task task) {
    if (worker.isStopping()) {
      giveBack(task);
      return Optional.empty();
    }
    counters.claimed.increment();
    listener.onClaimed(task);
    ActiveWork<T> work = new ActiveWork<>(config.queue(), task);
    active = work;
    if (worker.isAbandoning()) {
      cancelHandler();
    }
    Lease held = renewer.hold(task, config.claim().lease(), reason -> leaseLost(work, reason));
    lease = held;
    try {
      Outcome outcome = handle(work);
      return new TaskCommit(worker, config, counters, task, outcome).run(renewer, held);
    } finally {
      lease = null;
      active = null;
    }
  }

  /** Makes a task that came too late available to others. */
  private void giveBack(Task task) {
    Outcome outcome = Outcome.release();
    try {
      ModifyResult result = config.queue().modify(config.plan().modification(outcome, task, task));
      if (result.isCommitted()) {
        counters.committed(outcome);
      }
    } catch (RuntimeException e) {
      // Its lease ends by itself.
      listener.onQueueFailed(e, Duration.ZERO);
    }
  }

  private void leaseLost(ActiveWork<T> work, String reason) {
    work.cancel(ActiveWork.Cancellation.LEASE_LOST);
    listener.onLeaseLost(work.task(), reason);
  }

  private Outcome handle(ActiveWork<T> work) {
    Task task = work.task();
    int withoutEnd = task.claims() - task.attempt();
    if (config.maxClaims() > 0 && withoutEnd > config.maxClaims()) {
      return Outcome.quarantine(
          "claimed " + withoutEnd + " times without an end, more than " + config.maxClaims());
    }
    T value;
    try {
      value = config.codec().decode(task.value());
    } catch (RuntimeException e) {
      counters.handlerFailures.increment();
      listener.onHandlerFailed(task, e);
      return Outcome.quarantine("value cannot be decoded: " + describe(e));
    }
    return work.begin(value) ? runHandler(work) : Outcome.release();
  }

  private Outcome runHandler(ActiveWork<T> work) {
    counters.running.incrementAndGet();
    try {
      return checked(work, config.handler().handle(work));
    } catch (OutcomeException e) {
      return checked(work, e.outcome());
    } catch (Throwable e) {
      return failed(work, e);
    } finally {
      counters.running.decrementAndGet();
      work.end();
    }
  }

  private Outcome checked(ActiveWork<T> work, Outcome outcome) {
    return CommitPlan.flaw(outcome, work.task().id())
        .map(flaw -> failed(work, new IllegalStateException(flaw)))
        .orElse(outcome);
  }

  /** What a handler comes to that threw: nothing but the way out, if it had been told to stop. */
  private Outcome failed(ActiveWork<T> work, Throwable failure) {
    if (work.isCancelled()) {
      return Outcome.release();
    }
    counters.handlerFailures.increment();
    listener.onHandlerFailed(work.task(), failure);
    return Outcome.retry(describe(failure));
  }

  private static String describe(Throwable failure) {
    String name = failure.getClass().getSimpleName();
    return failure.getMessage() == null ? name : name + ": " + failure.getMessage();
  }

  private void pauseAfter(Throwable failure) {
    failuresInRow++;
    Duration pause = config.requestBackoff().after(failuresInRow);
    counters.queueFailures.increment();
    listener.onQueueFailed(failure, pause);
    worker.pauseUnlessStopping(pause);
  }
}
