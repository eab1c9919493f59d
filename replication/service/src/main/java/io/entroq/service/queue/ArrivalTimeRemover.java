package io.entroq.service.queue;

import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.ForwardingService;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;

/**
 * Takes the arrival times out of changes, so that every changed task is available at once: the
 * fault of EntroQ's own server, contract 2.4.6, for comparisons with it.
 */
public final class ArrivalTimeRemover extends ForwardingService {
  /** In front of a service. */
  public ArrivalTimeRemover(Service service) {
    super(service);
  }

  @Override
  public Call modify(CallContext context, ModifyRequest request, Reply<ModifyResponse> reply) {
    ModifyRequest.Builder now = request.toBuilder();
    for (TaskChange.Builder change : now.getChangesBuilderList()) {
      if (change.hasNewData()) {
        change.getNewDataBuilder().clearAtMs();
      }
    }
    return super.modify(context, now.build(), reply);
  }
}
