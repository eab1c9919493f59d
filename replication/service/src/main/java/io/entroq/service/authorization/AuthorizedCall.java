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
import io.grpc.Status;
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
   * @param context whose headers are held
   * @param reply gets denials and faults
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

  /** Continues with a step of the request itself. */
  void step(Function<CallContext, Call> next) {
    call.step(() -> next.apply(context));
  }

  /** The locations of tasks, by the ids of the request's API. */
  TaskLocations locations(List<Task> found) {
    return TaskLocations.of(service.facade(), found);
  }

  /** Looks up the queues of tasks, and continues with them. */
  void find(List<String> ids, Consumer<TaskLocations> then) {
    if (ids.isEmpty()) {
      then.accept(locations(List.of()));
      return;
    }
    TasksRequest request = TasksRequest.newBuilder().addAllTaskId(ids).setOmitValues(true).build();
    step(held -> service.handle(Method.TASKS, held, request, new Finding(then)));
  }

  /** Continues if the authorizer allows these permissions. */
  void ask(
      String claimantId,
      List<Permission> queues,
      List<Permission> namespaces,
      Function<CallContext, Call> next) {
    authorizer.require(query(claimantId, queues, namespaces), call, reply, () -> step(next));
  }

  /** Continues with the decision of the authorizer about these permissions. */
  void decide(
      String claimantId,
      List<Permission> queues,
      List<Permission> namespaces,
      Consumer<Decision> then) {
    authorizer.decide(query(claimantId, queues, namespaces), call, reply, then);
  }

  /**
   * Finds the tasks that the caller may see: those in queues that it may read. Asks about all
   * queues at once. After a denial it asks again without the queues that the denial names, so that
   * what is seen has been allowed as a whole. If no task is left, asks as if none existed.
   *
   * @param then gets the visible tasks, perhaps none
   * @param denied gets the reason if none is visible, and listing what does not exist is denied too
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
            findVisible(claimantId, left(locations, decision), then, denied);
          }
        });
  }

  private static TaskLocations left(TaskLocations locations, Decision decision) {
    TaskLocations left =
        locations.without(task -> decision.isAbout(Permission.of(Action.READ, task.getQueue())));
    // A denial that names none of them is about all.
    return left.tasks().size() < locations.tasks().size() ? left : locations.without(task -> true);
  }

  private AuthorizationQuery query(
      String claimantId, List<Permission> queues, List<Permission> namespaces) {
    // Claimants of the v0 API are random: policies do not know them.
    String known = service.facade() == Facade.V0 ? "" : claimantId;
    return new AuthorizationQuery(
        LoggedAuthorizer.authorization(context), known, queues, namespaces, context.origin());
  }

  /** Receives the tasks that were looked up. */
  private final class Finding implements Reply<TasksResponse> {
    private final Consumer<TaskLocations> then;

    Finding(Consumer<TaskLocations> then) {
      this.then = then;
    }

    @Override
    public void position(long position) {
      // Not the response.
    }

    @Override
    public void send(TasksResponse response) {
      then.accept(locations(response.getTasksList()));
    }

    @Override
    public void fail(Refusal refusal) {
      if (refusal.code() == Status.Code.INVALID_ARGUMENT) {
        // An id is invalid: the request itself is refused, with the name of the field.
        then.accept(locations(List.of()));
      } else {
        reply.fail(refusal);
      }
    }
  }
}
