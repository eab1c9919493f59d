package io.entroq.api.worker;

import io.entroq.api.Arrival;
import io.entroq.api.Change;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskRef;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * Turns outcomes into modifications, by a worker's rules on attempts and error queues. Immutable.
 *
 * @param maxAttempts failures after which a task is quarantined; 0 for never
 * @param retryPause maps the failures of a task, from 1, to the delay before its retry
 * @param errorQueue maps the name of a queue to the name of its error queue
 * @param hasPolicies whether failures can be reported to the queue
 */
record CommitPlan(
    int maxAttempts,
    IntFunction<Duration> retryPause,
    UnaryOperator<String> errorQueue,
    BooleanSupplier hasPolicies) {
  private static final int ERR_CHARS_MAX = 4_096;

  /** Turns a retry after the last attempt into a quarantine. */
  Outcome decide(Outcome outcome, Task task) {
    return outcome instanceof Outcome.Retry retry
            && maxAttempts > 0
            && task.attempt() + 1 >= maxAttempts
        ? Outcome.quarantine(retry.reason())
        : outcome;
  }

  /**
   * The modification that commits an outcome. It ends the lease of the sets, too.
   *
   * @param outcome as {@link #decide decided}
   * @param claimed the task as the handler saw it
   * @param newest the task at its latest version
   * @param sets the doc sets held with it
   */
  Modification modification(Outcome outcome, Task claimed, Task newest, List<HeldSet> sets) {
    Modification modification = modification(outcome, claimed, newest);
    return modification.withDocs(HeldSet.atNewestVersions(modification.docs(), sets));
  }

  private Modification modification(Outcome outcome, Task claimed, Task newest) {
    if (outcome instanceof Outcome.Done done) {
      return rewrite(done.rest(), claimed, newest).and(Modification.delete(newest));
    } else if (outcome instanceof Outcome.Modify modify) {
      return rewrite(modify.modification(), claimed, newest);
    } else if (outcome instanceof Outcome.Retry retry) {
      return retry(newest, retry);
    } else if (outcome instanceof Outcome.Move move) {
      Change change = move.reason().isEmpty() ? Change.of(newest) : failed(newest, move.reason());
      return Modification.change(change.resettingClaims().moveTo(move.queue()));
    } else if (outcome instanceof Outcome.Quarantine quarantine) {
      return Modification.change(
          failed(newest, quarantine.reason())
              .resettingClaims()
              .moveTo(errorQueue.apply(newest.queue())));
    }
    return Modification.release(newest);
  }

  /** Why an outcome is invalid; empty if it is valid. */
  static Optional<String> flaw(Outcome outcome, TaskId claimed) {
    if (outcome == null) {
      return Optional.of("the handler returned null");
    }
    if (outcome instanceof Outcome.Modify modify && !ends(modify.modification(), claimed)) {
      return Optional.of(
          "the handler's modification neither changes, fails nor deletes the claimed task");
    }
    return Optional.empty();
  }

  private static boolean ends(Modification modification, TaskId task) {
    return modification.changes().stream().anyMatch(change -> change.task().id().equals(task))
        || modification.fails().stream().anyMatch(fail -> fail.task().id().equals(task))
        || modification.deletes().stream().anyMatch(ref -> ref.id().equals(task));
  }

  /**
   * The handler's delay goes before that of the queue's policy, and the policy's before that of the
   * worker: a change that raises the attempt rests as the policy says, if it says anything.
   */
  private Modification retry(Task task, Outcome.Retry retry) {
    if (retry.delay().isPresent() && hasPolicies.getAsBoolean()) {
      return Modification.fail(task, append(task.err(), retry.reason()), retry.delay().get());
    }
    return Modification.change(
        failed(task, retry.reason())
            .resettingClaims()
            .availableIn(retry.delay().orElseGet(() -> delayAfter(task))));
  }

  private Duration delayAfter(Task task) {
    return retryPause.apply(task.attempt() + 1);
  }

  private static Change failed(Task task, String reason) {
    return Change.of(task).withAttempt(task.attempt() + 1, append(task.err(), reason));
  }

  /** Appends a line for a failure; keeps only the end of a long history. */
  static String append(String err, String reason) {
    String all = err.isEmpty() ? wellFormed(reason) : err + "\n" + wellFormed(reason);
    int tooMany = all.length() - ERR_CHARS_MAX;
    if (tooMany <= 0) {
      return all;
    }
    int from = Character.isLowSurrogate(all.charAt(tooMany)) ? tooMany + 1 : tooMany;
    return all.substring(from);
  }

  /** Replaces unpaired surrogates, which exception messages may contain but {@code err} may not. */
  private static String wellFormed(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private static Modification rewrite(Modification modification, Task claimed, Task newest) {
    return new Modification(
        modification.inserts(),
        modification.changes().stream().map(change -> rewrite(change, claimed, newest)).toList(),
        modification.deletes().stream().map(ref -> rewrite(ref, newest)).toList(),
        modification.depends().stream().map(ref -> rewrite(ref, newest)).toList(),
        modification.fails().stream().map(fail -> rewrite(fail, newest)).toList(),
        modification.policies(),
        modification.docs(),
        modification.thenClaim(),
        modification.claimant());
  }

  private static TaskRef rewrite(TaskRef ref, Task newest) {
    return ref.id().equals(newest.id()) ? newest.ref() : ref;
  }

  private static Modification.Fail rewrite(Modification.Fail fail, Task newest) {
    return new Modification.Fail(rewrite(fail.task(), newest), fail.err(), fail.delay());
  }

  private static Change rewrite(Change change, Task claimed, Task newest) {
    if (!change.task().id().equals(newest.id())) {
      return change;
    }
    Change newer = change.withTask(newest.ref());
    if (change.mode() == Change.Mode.LEASE || change.mode() == Change.Mode.TAKE_BACK) {
      return newer;
    }
    boolean keptLease = change.arrival().equals(Arrival.at(claimed.arrivalTime()));
    return (keptLease ? newer.availableNow() : newer).resettingClaims();
  }
}
