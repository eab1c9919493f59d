package io.entroq.service.authz;

import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.SteppedCall;
import io.entroq.service.edge.Facade;
import io.entroq.service.edge.Refusal;
import io.grpc.Status;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Takes one request past the authorizer. */
final class Guard {
  private final Service service;
  private final Gate gate;
  private final CallContext context;
  private final Reply<?> reply;
  private final SteppedCall call = new SteppedCall();

  /**
   * For one request.
   *
   * @param service what it is to
   * @param context to be read also later
   * @param reply is told what is in the way
   */
  Guard(Service service, Gate gate, CallContext context, Reply<?> reply) {
    this.service = service;
    this.gate = gate;
    this.context = context;
    this.reply = reply;
  }

  /** The request as its transport sees it. */
  Call call() {
    return call;
  }

  /** Goes on with a step of the request itself. */
  void step(Function<CallContext, Call> next) {
    call.step(() -> next.apply(context));
  }

  /** Tasks as they were found, by the ids of the API that the request came by. */
  Places places(List<Task> found) {
    return Places.of(service.facade(), found);
  }

  /** Looks in which queues tasks are, and goes on with that. */
  void find(List<String> ids, Consumer<Places> then) {
    if (ids.isEmpty()) {
      then.accept(places(List.of()));
      return;
    }
    TasksRequest request = TasksRequest.newBuilder().addAllTaskId(ids).setOmitValues(true).build();
    step(held -> service.tasks(held, request, new Finding(then)));
  }

  /** Goes on if the authorizer allows that. */
  void ask(
      String claimantId,
      List<Demand> queues,
      List<Demand> namespaces,
      Function<CallContext, Call> next) {
    Admittance.ask(gate, question(claimantId, queues, namespaces), call, reply, () -> step(next));
  }

  /** Goes on with what the authorizer says of that, whatever it is. */
  void decide(
      String claimantId, List<Demand> queues, List<Demand> namespaces, Consumer<Verdict> then) {
    Admittance.decide(gate, question(claimantId, queues, namespaces), call, reply, then);
  }

  private Question question(String claimantId, List<Demand> queues, List<Demand> namespaces) {
    // Claimants of the older API are random, and policies do not know them.
    String known = service.facade() == Facade.V0 ? "" : claimantId;
    return new Question(gate.authorization(context), known, queues, namespaces, context.origin());
  }

  /** Hears where tasks are. */
  private final class Finding implements Reply<TasksResponse> {
    private final Consumer<Places> then;

    Finding(Consumer<Places> then) {
      this.then = then;
    }

    @Override
    public void position(long position) {
      // It is not the answer.
    }

    @Override
    public void send(TasksResponse response) {
      then.accept(places(response.getTasksList()));
    }

    @Override
    public void fail(Refusal refusal) {
      if (refusal.code() == Status.Code.INVALID_ARGUMENT) {
        // Some id is none, which the request itself is refused for, and by the name of its field.
        then.accept(places(List.of()));
      } else {
        reply.fail(refusal);
      }
    }
  }
}
