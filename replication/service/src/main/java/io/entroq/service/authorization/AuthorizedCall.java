package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.SteppedCall;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Authorizes one call. */
final class AuthorizedCall {
  private final Service service;
  private final LoggedAuthorizer authorizer;
  private final CallContext context;
  private final Reply<?> reply;
  private final SteppedCall call = new SteppedCall();

  /**
   * @param service the next service
   * @param context with headers that may be read later
   * @param reply gets denials and internal errors
   */
  AuthorizedCall(
      Service service, LoggedAuthorizer authorizer, CallContext context, Reply<?> reply) {
    this.service = service;
    this.authorizer = authorizer;
    this.context = context;
    this.reply = reply;
  }

  Call call() {
    return call;
  }

  /** Runs the next step of the call. */
  void step(Function<CallContext, Call> next) {
    call.step(() -> next.apply(context));
  }

  TaskLocations locations(List<Task> found) {
    return TaskLocations.of(service.facade(), found);
  }

  /** Looks up the queues of tasks. */
  void find(List<String> ids, Consumer<TaskLocations> then) {
    if (ids.isEmpty()) {
      then.accept(locations(List.of()));
      return;
    }
    TasksRequest request = TasksRequest.newBuilder().addAllTaskId(ids).setOmitValues(true).build();
    step(held -> service.handle(Method.TASKS, held, request, new LookupReply(then)));
  }

  /** Continues if all permissions are granted; otherwise refuses the call. */
  void require(
      String claimantId,
      List<Permission> queues,
      List<Permission> namespaces,
      Function<CallContext, Call> next) {
    authorizer.require(query(claimantId, queues, namespaces), call, reply, () -> step(next));
  }

  /** Continues with the authorizer's decision on these permissions. */
  void decide(
      String claimantId,
      List<Permission> queues,
      List<Permission> namespaces,
      Consumer<Decision> then) {
    authorizer.decide(query(claimantId, queues, namespaces), call, reply, then);
  }

  /**
   * Finds the tasks that the caller may see: those in queues that it may read. Asks about all
   * queues at once. After a denial, asks again without the queues that the denial names, so that
   * one decision allows everything the caller sees. If no task remains, asks as if none existed.
   *
   * @param then gets the visible tasks, perhaps none
   * @param denied gets the reason if none is visible and listing a missing task is denied as well
   */
  void findVisible(
      String claimantId,
      TaskLocations locations,
      Consumer<TaskLocations> then,
      Consumer<Refusal> denied) {
    decide(
        claimantId,
        RequiredPermissions.list(locations),
        List.of(),
        decision -> {
          if (decision.isAllowed()) {
            then.accept(locations);
          } else if (decision.isFailure() || locations.tasks().isEmpty()) {
            denied.accept(decision.refusal().orElseThrow());
          } else {
            findVisible(claimantId, remaining(locations, decision), then, denied);
          }
        });
  }

  private static TaskLocations remaining(TaskLocations locations, Decision decision) {
    TaskLocations remaining =
        locations.without(task -> decision.covers(Permission.of(Action.READ, task.getQueue())));
    // A denial that names none of these queues covers all of them.
    return remaining.tasks().size() < locations.tasks().size()
        ? remaining
        : locations.without(task -> true);
  }

  private AuthorizationQuery query(
      String claimantId, List<Permission> queues, List<Permission> namespaces) {
    // Claimant ids of the v0 API are random, so policies cannot use them.
    String policyClaimant = service.facade() == Facade.V0 ? "" : claimantId;
    return AuthorizationQuery.of(context, policyClaimant, queues, namespaces);
  }

  /** Receives the tasks that were looked up. */
  private final class LookupReply implements Reply<TasksResponse> {
    private final Consumer<TaskLocations> then;

    LookupReply(Consumer<TaskLocations> then) {
      this.then = then;
    }

    @Override
    public void position(long position) {
      // This response does not reach the caller.
    }

    @Override
    public void send(TasksResponse response) {
      then.accept(locations(response.getTasksList()));
    }

    @Override
    public void fail(Refusal refusal) {
      reply.fail(refusal);
    }
  }
}
