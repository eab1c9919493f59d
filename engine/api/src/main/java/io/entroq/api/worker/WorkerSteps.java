package io.entroq.api.worker;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * The decisions of a worker for one task at a time, for runtimes that bring their own threads or
 * none.
 *
 * <p>This class does no IO, does not block and reads no clock. {@link #begin()} returns the first
 * step. The driver performs it and calls the report method that the step names, which returns the
 * next step. {@link Leases} decides likewise about the leases of any number of these. A {@link
 * Worker} combines the two with threads.
 *
 * <pre>{@code
 * WorkerSteps<Value> steps = Worker.on(queue).from("inbox").steps(random);
 * WorkerStep step = steps.begin();
 * while (!(step instanceof WorkerStep.End)) {
 *   step = perform(step);
 * }
 * }</pre>
 *
 * <p>Not thread-safe, except for {@link #stop()}, {@link #abandon()} and {@link #metrics()}.
 *
 * @param <T> the type of the decoded values
 */
public final class WorkerSteps<T> {
  private final WorkRules<T> rules;
  private final WorkerCounters counters;
  private final Closing closing;
  private final WorkerListener listener;

  /** The current task. */
  private Task task;

  /** Its decoded value while it is handled, otherwise null. */
  private T value;

  /** Its commit once the outcome is known, otherwise null. */
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

  /** Stops claiming: {@link WorkerStep.End} follows the current task. */
  public void stop() {
    closing.stop();
  }

  /** Stops, and does not retry failed commits. */
  public void abandon() {
    closing.abandon();
  }

  /** Counts since the start. */
  public WorkerMetrics metrics() {
    return counters.snapshot();
  }

  /**
   * Reports the result of a claim.
   *
   * @param tasks at most one; empty if the claim was cancelled
   */
  public WorkerStep claimed(List<Task> tasks) {
    return tasks.isEmpty() ? endRound(Optional.empty()) : workOn(tasks.get(0));
  }

  /**
   * Reports that a claim failed, or any unexpected failure. The current task, if any, is given up;
   * the driver must {@linkplain Leases#drop drop} its lease.
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
      return new WorkerStep.Release(
          rules.plan().modification(Outcome.release(), task, task, List.of()));
    }
    counters.claimed.increment();
    listener.onClaimed(task);
    return new WorkerStep.HoldLease(task);
  }

  /** Reports that the lease is being renewed. */
  public WorkerStep held() {
    int claims = claimsInVain();
    if (rules.maxClaims() > 0 && claims > rules.maxClaims()) {
      return quarantine(
          "claimed %d times, neither done nor failed; maxClaims %d"
              .formatted(claims, rules.maxClaims()));
    }
    try {
      value = rules.codec().decode(task.value());
    } catch (RuntimeException e) {
      noteFailure(e);
      return quarantine("value cannot be decoded: " + describe(e));
    }
    handling = true;
    counters.running.incrementAndGet();
    return new WorkerStep.Handle(task);
  }

  /**
   * How often in a row it was claimed without a recorded outcome. Where leases that end are
   * counted, their number is known; elsewhere, commits reset the number of claims.
   */
  private int claimsInVain() {
    return rules.plan().hasPolicies().getAsBoolean() ? task.lapses() + 1 : task.claims();
  }

  /** The decoded value of the task to handle. */
  public T value() {
    return value;
  }

  /**
   * Reports that the handler returned.
   *
   * @param outcome what it returned; null counts as a failure
   * @param cancelled whether it had been cancelled, because the lease was lost or the worker closes
   */
  public WorkerStep handled(Outcome outcome, boolean cancelled) {
    Optional<String> flaw = CommitPlan.flaw(outcome, task.id());
    return flaw.isPresent()
        ? threw(new IllegalStateException(flaw.get()), cancelled)
        : endWith(outcome);
  }

  /**
   * Reports that the handler threw.
   *
   * @param failure what it threw; ignored if it had been cancelled
   * @param cancelled whether it had been cancelled, because the lease was lost or the worker closes
   */
  public WorkerStep threw(Throwable failure, boolean cancelled) {
    if (cancelled) {
      return endWith(Outcome.release());
    }
    noteFailure(failure);
    String reason = describe(failure);
    boolean isForGood = rules.quarantineOn().stream().anyMatch(type -> type.isInstance(failure));
    return isForGood ? quarantine(reason) : endWith(Outcome.retry(reason));
  }

  private void noteFailure(Throwable failure) {
    counters.handlerFailures.increment();
    listener.onHandlerFailed(task, failure);
  }

  /**
   * Reports that the handler ended after its {@linkplain WorkerBuilder#maxRuntime run time}. Its
   * outcome does not count, because what it did may be incomplete.
   *
   * @param failure what it threw; null if it returned
   */
  public WorkerStep overran(Throwable failure) {
    TimeoutException overrun =
        new TimeoutException("ran longer than maxRuntime " + rules.maxRuntime());
    if (failure != null) {
      overrun.initCause(failure);
    }
    noteFailure(overrun);
    return endWith(Outcome.retry(describe(overrun)));
  }

  private WorkerStep quarantine(String reason) {
    return endWith(Outcome.quarantine(reason));
  }

  private WorkerStep endWith(Outcome outcome) {
    endHandling();
    commit = new TaskCommit(rules, counters, task, outcome);
    return new WorkerStep.TakeLease();
  }

  /** Reports that the lease was removed from renewal, or is lost. */
  public WorkerStep taken(Lease lease) {
    return taken(lease.taken(), lease.sets());
  }

  /**
   * The same for a task without doc sets.
   *
   * @param newest the task at its newest version; empty if its lease is lost
   */
  public WorkerStep taken(Optional<Task> newest) {
    return taken(newest, List.of());
  }

  private WorkerStep taken(Optional<Task> newest, List<HeldSet> sets) {
    if (newest.isEmpty()) {
      return lost();
    }
    Modification modification;
    try {
      modification = commit.modification(newest.get(), sets);
    } catch (RuntimeException e) {
      return notAnswered(e);
    }
    return new WorkerStep.Commit(
        rules.claimWithCommit() && !closing.isStopping()
            ? modification.thenClaim(rules.claim())
            : modification);
  }

  /** Reports the reply to a commit. */
  public WorkerStep answered(ModifyResult result) {
    if (result instanceof ModifyResult.Committed committed) {
      commit.committed();
      return endRound(committed.next());
    }
    return retry(commit.notCommitted(result));
  }

  /** Reports that a commit failed. */
  public WorkerStep notAnswered(RuntimeException failure) {
    return failure instanceof EntroQException.Closed
        ? new WorkerStep.End()
        : retry(commit.failed(failure));
  }

  private WorkerStep retry(Optional<Duration> pause) {
    return pause.isPresent() && !closing.isAbandoning()
        ? new WorkerStep.PutBack(pause.get(), commit.isInDoubt())
        : lost();
  }

  private WorkerStep lost() {
    commit.lost();
    return endRound(Optional.empty());
  }

  /** Reports the reply to a release. */
  public WorkerStep released(ModifyResult result) {
    if (result.isCommitted()) {
      counters.committed(Outcome.release());
    }
    return endRound(Optional.empty());
  }

  /** Reports that a release failed; the lease will run out. */
  public WorkerStep notReleased(RuntimeException failure) {
    listener.onQueueFailed(failure, Duration.ZERO);
    return endRound(Optional.empty());
  }

  /** Reports that a pause is over. */
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
    if (failure instanceof EntroQException.Codec) {
      // Its name would say the same again.
      return failure.getMessage();
    }
    String name = failure.getClass().getSimpleName();
    return failure.getMessage() == null ? name : name + ": " + failure.getMessage();
  }
}
