package io.entroq.simulator.client.worker;

import io.entroq.api.Arrival;
import io.entroq.api.Change;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkerListener;
import io.entroq.api.worker.WorkerStep;
import io.entroq.simulator.check.Invariant;
import java.time.Duration;
import java.util.Optional;

/**
 * Observes and checks the decisions of a worker about one task after another. Leases may be lost
 * only for a reason: a paused process, a request without a timely answer, or a reopened engine.
 */
final class WorkerObserver implements WorkerListener {
  /** A lease is fresh if less than one part in so many has passed when the answer arrives. */
  private static final int FRESH_PARTS = 4;

  private final RemoteQueue queue;
  private final Handling handling;
  private final Duration lease;

  private Task task;
  private long heldNs;

  /** Whether the lease was fresh when the task arrived. */
  private boolean isFresh;

  private boolean isLost;
  private boolean isUnknown;
  private Outcome committed;
  private boolean isUnknownReported;

  WorkerObserver(RemoteQueue queue, Handling handling, Duration lease) {
    this.queue = queue;
    this.handling = handling;
    this.lease = lease;
  }

  @Override
  public void onCommitted(Task of, Outcome outcome) {
    committed = outcome;
  }

  @Override
  public void onOutcomeUnknown(Task of, Outcome outcome) {
    isUnknownReported = true;
  }

  boolean isLost() {
    return isLost;
  }

  void held(Task claimed) {
    ended();
    task = claimed;
    heldNs = queue.life().nowNs();
    long ageMs = queue.context().newestMs() - claimed.modified().toEpochMilli();
    isFresh = ageMs <= lease.toMillis() / FRESH_PARTS;
    isLost = false;
  }

  /** The work on the task has ended. */
  void ended() {
    boolean isReported = !isUnknown || committed != null || isUnknownReported;
    check(
        isReported,
        Invariant.UNKNOWN_OUTCOMES_ARE_TOLD,
        "a report of the unknown outcome",
        "nothing");
    isUnknown = false;
    isUnknownReported = false;
    committed = null;
  }

  /** The holder learns that the lease is lost. */
  void lost(String reason) {
    isLost = true;
    requireTrouble(reason);
  }

  private void requireTrouble(Object instead) {
    // The answer to the claim may have arrived after the disturbance.
    boolean isCalm = isFresh && queue.isUndisturbedSince(heldNs - lease.toNanos() / FRESH_PARTS);
    check(!isCalm, Invariant.LEASES_ARE_KEPT, "a lease, as nothing disturbed the worker", instead);
  }

  /** The lease is taken out of renewal to be committed. */
  void taken(Optional<Task> newest) {
    check(newest.isPresent() || isLost, Invariant.LOST_LEASES_ARE_TOLD, "a call", "none");
    // A late renewal holds nothing, but no other client has the task at that version.
    boolean isOwn =
        newest.isEmpty()
            || queue.context().mayBeLost(heldNs)
            || (newest.get().claims() == task.claims()
                && (newest.get().claimant().isEmpty()
                    || newest.get().claimant().equals(queue.claimant())));
    check(isOwn, Invariant.COMMITS_WHAT_IT_HOLDS, task, newest);
  }

  /** The outcome of the task is about to be committed. */
  void committing(Modification modification) {
    check(!isLost, Invariant.NO_COMMIT_AFTER_LOST_LEASE, "none", modification);
    for (Change change : modification.changes()) {
      boolean isRetry =
          change.task().id().equals(task.id())
              && change.queue().equals(task.queue())
              && change.attempt() > task.attempt();
      check(
          !isRetry || isRest(change.arrival()),
          Invariant.FAILED_TASKS_REST,
          "a rest",
          change.arrival());
    }
  }

  private boolean isRest(Arrival arrival) {
    Duration longest = WorkerProcess.RETRIES.after(task.attempt() + 1, 0);
    Duration shortest = WorkerProcess.RETRIES.after(task.attempt() + 1, 1);
    return arrival instanceof Arrival.In in
        && in.delay().compareTo(shortest) >= 0
        && in.delay().compareTo(longest) <= 0;
  }

  /** A commit was answered, and this is the next step. */
  void answered(ModifyResult result, WorkerStep next) {
    if (result instanceof ModifyResult.Committed done) {
      check(committed != null, Invariant.COMMITS_ARE_TOLD, "a call", "none");
      handling.committed(task, committed);
      done.next().ifPresent(claimed -> requireWork(claimed, next));
    } else if (result instanceof ModifyResult.DependencyFailure failure) {
      if (failure.concerns(task.id()) && !isUnknown) {
        requireTrouble(failure);
      }
    } else {
      isUnknown = true;
      check(next instanceof WorkerStep.PutBack, Invariant.COMMITS_ARE_TRIED_AGAIN, "a pause", next);
    }
  }

  private void requireWork(Task claimed, WorkerStep next) {
    boolean isWork =
        (next instanceof WorkerStep.HoldLease hold && hold.task().equals(claimed))
            || next instanceof WorkerStep.Release;
    check(isWork, Invariant.CLAIMED_TASKS_ARE_WORKED_ON, claimed, next);
  }

  /** A commit failed, and this is the next step. */
  void notAnswered(RuntimeException failure, WorkerStep next) {
    isUnknown |= failure instanceof EntroQException.OutcomeUnknown;
    if (failure instanceof EntroQException known && known.isTemporary()) {
      check(next instanceof WorkerStep.PutBack, Invariant.COMMITS_ARE_TRIED_AGAIN, "a pause", next);
    }
  }

  private void check(boolean fact, Invariant rule, Object expected, Object actual) {
    if (!fact) {
      throw rule.broken(subject(task), expected, actual);
    }
  }

  /** The id of a task as in printed commands. */
  static String subject(Task task) {
    return task.id().toString().replace("-", "");
  }
}
