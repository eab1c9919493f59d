package io.entroq.workers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.entroq.api.Change;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.workers.WorkGateway.End;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Gives a task to the program, and makes an outcome of its answer. On the worker's thread. */
final class GatewayHandler implements Handler<Value> {
  private final GatewayRules rules;
  private final GatewayConnection connection;
  private final GatewayEnding ending;
  private final GatewayCommit commit;

  GatewayHandler(
      GatewayRules rules,
      GatewayConnection connection,
      GatewayEnding ending,
      GatewayCommit commit) {
    this.rules = rules;
    this.connection = connection;
    this.ending = ending;
    this.commit = commit;
  }

  @Override
  public Outcome handle(WorkContext<Value> context) throws InterruptedException {
    Task task = context.task();
    if (ending.isEnding()) {
      return Outcome.release();
    }
    try {
      ObjectNode request = message("doWork", task);
      if (rules.takesDocs()) {
        DocClaimResult docs = claimDocs(context);
        if (!(docs instanceof DocClaimResult.Claimed claimed)) {
          // Others hold them, which is no failure of the task.
          return Outcome.modify(
              Modification.change(Change.of(task).availableIn(rules.retryDelay())));
        }
        request.set("docs", GatewayJson.docs(claimed.docs()));
        request.set("groups", GatewayJson.groups(claimed));
      }
      return outcome(task, exchange(task, request, "result"));
    } catch (ExecutionException e) {
      // The program has hung up: the task is available again at once.
      return Outcome.release();
    } catch (EntroQException.InvalidArgument e) {
      return leave(task, "the program's answer is malformed: " + e.getMessage());
    }
  }

  private static ObjectNode message(String type, Task task) {
    ObjectNode message = GatewayConnection.message(type);
    message.set("task", GatewayJson.task(task));
    return message;
  }

  private DocClaimResult claimDocs(WorkContext<Value> context)
      throws InterruptedException, ExecutionException {
    Task task = context.task();
    JsonNode answer = exchange(task, message("takeDocs", task), "docs");
    Optional<DocClaim> claim = GatewayJson.docClaim(answer);
    return claim
        .map(context::claimDocs)
        .orElseGet(() -> new DocClaimResult.Claimed(List.of(), List.of()));
  }

  /**
   * Asks the program while the lease is renewed.
   *
   * @throws ExecutionException if it has hung up
   * @throws InterruptedException if the lease is lost or the worker closes
   */
  private JsonNode exchange(Task task, ObjectNode request, String type)
      throws InterruptedException, ExecutionException {
    CompletableFuture<byte[]> answer = connection.ask(request);
    try {
      return connection.await(answer, type);
    } catch (InterruptedException e) {
      if (!ending.isEnding()) {
        abort(task, answer);
      }
      throw e;
    }
  }

  /** The lease is lost: the program still has to answer, or the connection would be out of step. */
  private void abort(Task task, CompletableFuture<byte[]> answer) throws InterruptedException {
    ObjectNode message = GatewayConnection.message("abort");
    connection.tell(message.put("id", task.id().text()).put("version", task.version()));
    try {
      JsonNode unused = connection.read(answer.get(rules.lease().toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      ending.fail(End.CALLER, "the program did not answer within a lease of an abort");
    } catch (ExecutionException e) {
      // It has hung up.
    }
  }

  private Outcome outcome(Task task, JsonNode result) {
    String message = GatewayJson.text(result, "message");
    String reason = message.isEmpty() ? "the program gave no reason" : message;
    String outcome = GatewayJson.text(result, "outcome");
    return switch (outcome) {
      case "ok" -> commit.result(task, modification(task, result));
      case "retry" -> retry(task, result, reason);
      case "move" -> Outcome.moveTo(rules.target(task, result, "to"), reason);
      case "fatal", "error" ->
          leave(task, "the program reported %s: %s".formatted(outcome, reason));
      default -> throw new EntroQException.InvalidArgument("outcome '" + outcome + "' is unknown");
    };
  }

  private Outcome retry(Task task, JsonNode result, String reason) {
    String after = GatewayJson.text(result, "after");
    String orMove = rules.target(task, result, "orMove");
    if (rules.isLastAttempt(task)) {
      return Outcome.moveTo(orMove, reason);
    }
    return after.isEmpty() ? Outcome.retry(reason) : Outcome.retry(GoDuration.parse(after), reason);
  }

  /**
   * What to commit. If it does not end the task, it also renews the lease: so it is committed only
   * if the task is still held, and the task is left for that time.
   */
  private Modification modification(Task task, JsonNode result) {
    Modification asked = GatewayJson.modification(result.path("modification"), task);
    boolean isDone =
        asked.deletes().stream().anyMatch(ref -> ref.id().equals(task.id()))
            || asked.changes().stream().anyMatch(change -> change.task().id().equals(task.id()));
    if (isDone) {
      return asked;
    }
    // The same Modify cannot depend on the task and end it; to end it depends on it as well.
    Modification rest =
        new Modification(
            asked.inserts(),
            asked.changes(),
            asked.deletes(),
            asked.depends().stream().filter(ref -> !ref.id().equals(task.id())).toList(),
            asked.fails(),
            asked.policies(),
            asked.docs(),
            asked.thenClaim(),
            asked.claimant());
    return rest.and(
        result.path("ack").asBoolean()
            ? Modification.delete(task)
            : Modification.change(Change.renew(task, rules.lease())));
  }

  /** The program's fault: the gateway ends, and the task stays until its lease ends. */
  private Outcome leave(Task task, String reason) {
    ending.fail(End.CALLER, reason);
    return commit.nothing(task);
  }
}
