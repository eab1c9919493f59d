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
 * Observes the decisions of a worker about one task after another, and knows what it must not do.
 * Leases may be lost only for a reason: a paused process, a request without a timely answer, an
 * engine that was reopened.
 */
final class WorkerObserver implements WorkerListener {
  /** A lease of which less than one part in so many is over when it is heard of is a fresh one. */
  private static final int FRESH_PARTS = 4;

  private final RemoteQueue queue;
  private final Handling handling;
  private final Duration lease;

  private Task task;
  private long heldNs;

  /** Whether most of the lease was left when the task came. */
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

  /** There is a task to work on, which was claimed just now. */
  void held(Task claimed) {
    ended();
    task = claimed;
    heldNs = queue.life().nowNs();
    long ageMs = queue.context().newestMs() - claimed.modified().toEpochMilli();
    isFresh = ageMs <= lease.toMillis() / FRESH_PARTS;
    isLost = false;
  }

  /** What was worked on is not any more. */
  void ended() {
    boolean isReported = !isUnknown || committed != null || isUnknownReported;
    check(
        isReported,
        Invariant.UNKNOWN_OUTCOMES_ARE_TOLD,
        "that nobody knows what became of it",
        "nothing");
    isUnknown = false;
    isUnknownReported = false;
    committed = null;
  }

  /** The lease is lost, and its holder hears of it. */
  void lost(String reason) {
    isLost = true;
    requireTrouble(reason);
  }

  private void requireTrouble(Object instead) {
    // The answer that told of the claim may have come after the trouble.
    boolean isCalm = isFresh && queue.isUndisturbedSince(heldNs - lease.toNanos() / FRESH_PARTS);
    check(!isCalm, Invariant.LEASES_ARE_KEPT, "a lease, as nothing was in the way", instead);
  }

  /** The lease is taken out of renewal to be committed. */
  void taken(Optional<Task> newest) {
    check(newest.isPresent() || isLost, Invariant.LOST_LEASES_ARE_TOLD, "a word", "none");
    // A renewal that comes too late holds nothing, but nobody else has the task at that version.
    boolean isOwn =
        newest.isEmpty()
            || queue.context().mayBeLost(heldNs)
            || (newest.get().claims() == task.claims()
                && (newest.get().claimant().isEmpty()
                    || newest.get().claimant().equals(queue.claimant())));
    check(isOwn, Invariant.COMMITS_WHAT_IT_HOLDS, task, newest);
  }

  /** What the task has come to is to be written. */
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

  /** A commit was answered, and this is what is to be done about that. */
  void answered(ModifyResult result, WorkerStep next) {
    if (result instanceof ModifyResult.Committed done) {
      check(committed != null, Invariant.COMMITS_ARE_TOLD, "a word", "none");
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

  /** A commit failed, and this is what is to be done about that. */
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

  /** A task as the commands that touched it are told with it. */
  static String subject(Task task) {
    return task.id().toString().replace("-", "");
  }
}
