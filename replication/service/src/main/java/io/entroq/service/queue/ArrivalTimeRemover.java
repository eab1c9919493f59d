package io.entroq.service.queue;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;

/**
 * Removes arrival times from changes, so that every changed task is available at once. EntroQ's own
 * server does so by mistake (contract 2.4.6); comparisons with it need the same.
 */
public final class ArrivalTimeRemover extends ServiceFilter {
  /** In front of a service. */
  public ArrivalTimeRemover(Service next) {
    super(next);
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    return next.handle(method, context, method == Method.MODIFY ? now(request) : request, reply);
  }

  // Called with a ModifyRequest only, and returns one.
  @SuppressWarnings("unchecked")
  private static <Q extends Message> Q now(Q request) {
    ModifyRequest.Builder now = ((ModifyRequest) request).toBuilder();
    for (TaskChange.Builder change : now.getChangesBuilderList()) {
      if (change.hasNewData()) {
        change.getNewDataBuilder().clearAtMs();
      }
    }
    return (Q) now.build();
  }
}
