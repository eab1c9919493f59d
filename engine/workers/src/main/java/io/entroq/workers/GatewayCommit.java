package io.entroq.workers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.entroq.api.Change;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.ModifyResult.DependencyFailure;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.worker.Outcome;
import io.entroq.workers.WorkGateway.End;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * The commits of the worker. After that of a result, the program is told, and may decide about a
 * task whose result did not match. On the worker's thread.
 */
final class GatewayCommit {
  /** What the next commit of the worker means. */
  private enum Plan {
    /** What the worker does by itself, such as a retry or a release. */
    WORKER,
    /** What the program asked for. */
    RESULT,
    /** Nothing: the task stays claimed until its lease ends. */
    NOTHING
  }

  private final GatewayRules rules;
  private final GatewayConnection connection;
  private final GatewayEnding ending;

  private Plan plan = Plan.WORKER;

  /** Whether an earlier attempt to commit the program's result may have been applied. */
  private boolean isInDoubt;

  /** The one that was planned for. */
  private Task task;

  GatewayCommit(GatewayRules rules, GatewayConnection connection, GatewayEnding ending) {
    this.rules = rules;
    this.connection = connection;
    this.ending = ending;
  }

  /** Before each claim: what the worker commits next, with or without its handler, is its own. */
  boolean mayClaim() {
    plan = Plan.WORKER;
    isInDoubt = false;
    return !ending.isEnded();
  }

  /** The outcome that commits what the program asked for. */
  Outcome result(Task worked, Modification modification) {
    plan = Plan.RESULT;
    task = worked;
    return Outcome.modify(modification);
  }

  /** The outcome that leaves the task to its lease. */
  Outcome nothing(Task worked) {
    plan = Plan.NOTHING;
    task = worked;
    return Outcome.release();
  }

  /** Commits for the worker. */
  ModifyResult commit(EntroQ queue, Modification modification) {
    return switch (plan) {
      case NOTHING -> given();
      case RESULT -> commitResult(queue, modification);
      default -> queue.modify(modification);
    };
  }

  /** What makes the worker let go of the task, without touching it. */
  private DependencyFailure given() {
    return new DependencyFailure(List.of(), List.of(task.ref()), List.of(), List.of(), List.of());
  }

  private ModifyResult commitResult(EntroQ queue, Modification modification) {
    ModifyResult result;
    try {
      result = queue.modify(modification);
    } catch (EntroQException.InvalidArgument | EntroQException.PermissionDenied e) {
      if (e.fullQueue().isPresent()) {
        // The worker retries the task instead.
        plan = Plan.WORKER;
        throw e;
      }
      ending.fail(End.CALLER, "the program's modification was refused: " + e.getMessage());
      return given();
    } catch (EntroQException.ResourceExhausted | EntroQException.Unavailable e) {
      throw e;
    } catch (RuntimeException e) {
      isInDoubt = true;
      throw e;
    }
    isInDoubt |= result instanceof ModifyResult.OutcomeUnknown;
    if (result.isCommitted() && rules.tellsSuccess()) {
      afterCommit(queue, GatewayConnection.message("success"), false);
    } else if (result instanceof DependencyFailure failure) {
      boolean mayBeCommitted = isInDoubt && failure.concerns(task.id());
      if (rules.tellsDependency() && !mayBeCommitted) {
        ObjectNode message = GatewayConnection.message("dependency");
        message.set("deps", GatewayJson.dependencies(failure));
        afterCommit(queue, message, !failure.concerns(task.id()));
      }
      // Without an answer, its lease is the pause before it is tried again.
      return given();
    }
    return result;
  }

  /**
   * Tells the program what became of its result.
   *
   * @param mayDecide whether it may decide about the task, which is still there
   */
  private void afterCommit(EntroQ queue, ObjectNode message, boolean mayDecide) {
    try {
      JsonNode done = connection.await(connection.ask(message), "done");
      String outcome = GatewayJson.text(done, "outcome");
      String reason = GatewayJson.text(done, "message");
      switch (outcome) {
        case "", "ok" -> {
          // As it is.
        }
        case "fatal", "error" ->
            ending.fail(End.CALLER, "the program reported %s: %s".formatted(outcome, reason));
        case "retry", "move" -> {
          if (mayDecide) {
            decide(queue, done);
          }
        }
        default ->
            throw new EntroQException.InvalidArgument("outcome '" + outcome + "' is unknown");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      // The program has hung up.
    } catch (EntroQException.InvalidArgument e) {
      ending.fail(End.CALLER, "the program's answer is malformed: " + e.getMessage());
    }
  }

  /**
   * After a failed commit: as far as the task is still at its version, which renewals may change.
   */
  private void decide(EntroQ queue, JsonNode done) {
    Task newest =
        queue.tasks(TaskQuery.withIds(task.id())).stream()
            .filter(now -> now.claimant().equals(task.claimant()) && now.claims() == task.claims())
            .findFirst()
            .orElse(null);
    if (newest == null) {
      return;
    }
    boolean moves = GatewayJson.text(done, "outcome").equals("move");
    String reason = GatewayJson.text(done, "message");
    Change change =
        Change.of(newest)
            .withAttempt(task.attempt() + 1, Results.shorten(reason))
            .resettingClaims();
    String after = GatewayJson.text(done, "after");
    if (moves || rules.isLastAttempt(task)) {
      change = change.moveTo(rules.target(task, done, moves ? "to" : "orMove"));
    } else {
      change = change.availableIn(after.isEmpty() ? rules.retryDelay() : GoDuration.parse(after));
    }
    ModifyResult unused = queue.modify(Modification.change(change));
  }
}
