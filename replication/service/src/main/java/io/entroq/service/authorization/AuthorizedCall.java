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
   * For one call.
   *
   * @param service the next service
   * @param context a held one, which may be read later
   * @param reply gets denials and faults
   */
  AuthorizedCall(
      Service service, LoggedAuthorizer authorizer, CallContext context, Reply<?> reply) {
    this.service = service;
    this.authorizer = authorizer;
    this.context = context;
    this.reply = reply;
  }

  /** The call as its transport sees it. */
  Call call() {
    return call;
  }

  /** Goes on with a step of the request itself. */
  void step(Function<CallContext, Call> next) {
    call.step(() -> next.apply(context));
  }

  /** Tasks as they were found, by the ids of the API that the request came by. */
  TaskLocations locations(List<Task> found) {
    return TaskLocations.of(service.facade(), found);
  }

  /** Looks up the queues of tasks, and goes on with that. */
  void find(List<String> ids, Consumer<TaskLocations> then) {
    if (ids.isEmpty()) {
      then.accept(locations(List.of()));
      return;
    }
    TasksRequest request = TasksRequest.newBuilder().addAllTaskId(ids).setOmitValues(true).build();
    step(held -> service.handle(Method.TASKS, held, request, new Finding(then)));
  }

  /** Goes on if the authorizer allows that. */
  void ask(
      String claimantId,
      List<Permission> queues,
      List<Permission> namespaces,
      Function<CallContext, Call> next) {
    AuthorizationStep.ask(
        authorizer, query(claimantId, queues, namespaces), call, reply, () -> step(next));
  }

  /** Goes on with what the authorizer says of that, whatever it is. */
  void decide(
      String claimantId,
      List<Permission> queues,
      List<Permission> namespaces,
      Consumer<Decision> then) {
    AuthorizationStep.decide(authorizer, query(claimantId, queues, namespaces), call, reply, then);
  }

  private AuthorizationQuery query(
      String claimantId, List<Permission> queues, List<Permission> namespaces) {
    // Claimants of the older API are random, and policies do not know them.
    String known = service.facade() == Facade.V0 ? "" : claimantId;
    return new AuthorizationQuery(
        authorizer.authorization(context), known, queues, namespaces, context.origin());
  }

  /** Hears where tasks are. */
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
        // Some id is none, which the request itself is refused for, and by the name of its field.
        then.accept(locations(List.of()));
      } else {
        reply.fail(refusal);
      }
    }
  }
}
