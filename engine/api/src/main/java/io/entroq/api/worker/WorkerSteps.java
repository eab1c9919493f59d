package io.entroq.api.worker;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The decisions of a worker that has one task at a time, for runtimes that bring their own threads
 * or none.
 *
 * <p>It asks for nothing, waits for nothing, and reads no clock. {@link #begin()} says the first
 * step; whoever drives it does what the step says, reports with the method that the step names, and
 * is told the next one. {@link Leases} decides likewise about the leases of any number of these. A
 * {@link Worker} is both of them with threads.
 *
 * <pre>{@code
 * WorkerSteps<Value> steps = Worker.on(queue).from("inbox").steps(random);
 * WorkerStep step = steps.begin();
 * while (!(step instanceof WorkerStep.End)) {
 *   step = perform(step);
 * }
 * }</pre>
 *
 * <p>One thread at a time, but for {@link #stop()}, {@link #abandon()} and {@link #metrics()}.
 *
 * @param <T> what the values of the tasks are decoded to
 */
public final class WorkerSteps<T> {
  private final WorkRules<T> rules;
  private final WorkerCounters counters;
  private final Closing closing;
  private final WorkerListener listener;

  /** The task in work, its value while it is handled, and its end once it is known. */
  private Task task;

  private T value;
  private TaskCommit commit;

  private boolean handling;
  private int failuresInRow;

  WorkerSteps(WorkRules<T> rules, WorkerCounters counters, Closing closing) {
    this.rules = rules;
    this.counters = counters;
    this.closing = closing;
    this.listener = rules.listener();
  }

  /** The first step. */
  public WorkerStep begin() {
    return closing.isStopping() ? new WorkerStep.End() : new WorkerStep.ClaimTask(rules.claim());
  }

  /** Claims no more: after the task in work comes the end. */
  public void stop() {
    closing.stop();
  }

  /** Stops, and tries no commit again that fails. */
  public void abandon() {
    closing.abandon();
  }

  /** What it has done so far. */
  public WorkerMetrics metrics() {
    return counters.snapshot();
  }

  /**
   * A claim was answered.
   *
   * @param tasks at most one; none if it was cancelled
   */
  public WorkerStep claimed(List<Task> tasks) {
    return tasks.isEmpty() ? endRound(Optional.empty()) : workOn(tasks.get(0));
  }

  /**
   * A claim failed, or something else went wrong that is not to be expected. The task in work, if
   * there is one, is not worked on any more; its lease has to be let go of.
   */
  public WorkerStep failed(Throwable failure) {
    endHandling();
    if (failure instanceof EntroQException.Closed) {
      return new WorkerStep.End();
    }
    commit = null;
    failuresInRow++;
    Duration pause = rules.requestPause().apply(failuresInRow);
    counters.queueFailures.increment();
    listener.onQueueFailed(failure, pause);
    return new WorkerStep.Pause(pause);
  }

  private WorkerStep workOn(Task claimed) {
    task = claimed;
    if (closing.isStopping()) {
      return new WorkerStep.Release(rules.plan().modification(Outcome.release(), task, task));
    }
    counters.claimed.increment();
    listener.onClaimed(task);
    return new WorkerStep.HoldLease(task);
  }

  /** The lease is being renewed. */
  public WorkerStep held() {
    int unfailed = task.claims() - task.attempt();
    if (rules.maxClaims() > 0 && unfailed > rules.maxClaims()) {
      return quarantine(
          "claimed %d times, neither done nor failed; maxClaims %d"
              .formatted(unfailed, rules.maxClaims()));
    }
    try {
      value = rules.codec().decode(task.value());
    } catch (RuntimeException e) {
      counters.handlerFailures.increment();
      listener.onHandlerFailed(task, e);
      return quarantine("value cannot be decoded: " + describe(e));
    }
    handling = true;
    counters.running.incrementAndGet();
    return new WorkerStep.Handle(task);
  }

  /** The value of the task that is to be handled, decoded. */
  public T value() {
    return value;
  }

  /**
   * The handler has returned.
   *
   * @param outcome what it returned; may be null, which is a failure
   * @param inVain whether it had been told to stop, as the lease is lost or nobody waits for it
   */
  public WorkerStep handled(Outcome outcome, boolean inVain) {
    Optional<String> flaw = CommitPlan.flaw(outcome, task.id());
    return flaw.isPresent()
        ? threw(new IllegalStateException(flaw.get()), inVain)
        : endWith(outcome);
  }

  /**
   * The handler has thrown.
   *
   * @param failure what it threw; nothing but the way out if it was told to stop
   * @param inVain whether it had been told to stop, as the lease is lost or nobody waits for it
   */
  public WorkerStep threw(Throwable failure, boolean inVain) {
    if (inVain) {
      return endWith(Outcome.release());
    }
    counters.handlerFailures.increment();
    listener.onHandlerFailed(task, failure);
    return endWith(Outcome.retry(describe(failure)));
  }

  private WorkerStep quarantine(String reason) {
    return endWith(Outcome.quarantine(reason));
  }

  private WorkerStep endWith(Outcome outcome) {
    endHandling();
    commit = new TaskCommit(rules, counters, task, outcome);
    return new WorkerStep.TakeLease();
  }

  /**
   * The lease is out of renewal.
   *
   * @param newest the task as it is held; empty if its lease is lost
   */
  public WorkerStep taken(Optional<Task> newest) {
    if (newest.isEmpty()) {
      return lost();
    }
    Modification modification;
    try {
      modification = commit.modification(newest.get());
    } catch (RuntimeException e) {
      return notAnswered(e);
    }
    return new WorkerStep.Commit(
        rules.claimWithCommit() && !closing.isStopping()
            ? modification.thenClaim(rules.claim())
            : modification);
  }

  /** A commit was answered. */
  public WorkerStep answered(ModifyResult result) {
    if (result instanceof ModifyResult.Committed committed) {
      commit.committed();
      return endRound(committed.next());
    }
    return again(commit.notCommitted(result));
  }

  /** A commit failed. */
  public WorkerStep notAnswered(RuntimeException failure) {
    return failure instanceof EntroQException.Closed
        ? new WorkerStep.End()
        : again(commit.failed(failure));
  }

  private WorkerStep again(Optional<Duration> pause) {
    return pause.isPresent() && !closing.isAbandoning()
        ? new WorkerStep.PutBack(pause.get(), commit.isInDoubt())
        : lost();
  }

  private WorkerStep lost() {
    commit.lost();
    return endRound(Optional.empty());
  }

  /** A task was given back, or it was not there any more. */
  public WorkerStep released(ModifyResult result) {
    if (result.isCommitted()) {
      counters.committed(Outcome.release());
    }
    return endRound(Optional.empty());
  }

  /** A task could not be given back; its lease ends by itself. */
  public WorkerStep notReleased(RuntimeException failure) {
    listener.onQueueFailed(failure, Duration.ZERO);
    return endRound(Optional.empty());
  }

  /** A pause is over. */
  public WorkerStep paused() {
    return commit == null ? begin() : new WorkerStep.TakeLease();
  }

  private WorkerStep endRound(Optional<Task> next) {
    commit = null;
    failuresInRow = 0;
    return next.isPresent() ? workOn(next.get()) : begin();
  }

  private void endHandling() {
    value = null;
    if (handling) {
      handling = false;
      counters.running.decrementAndGet();
    }
  }

  private static String describe(Throwable failure) {
    String name = failure.getClass().getSimpleName();
    return failure.getMessage() == null ? name : name + ": " + failure.getMessage();
  }
}
