package io.entroq.service.queue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.RequestIdentities;

/** Makes each request with an identity follow its client's first request. */
final class ClientOpeningService extends ServiceFilter {
  private final Service open;
  private final FirstRequests firsts;

  ClientOpeningService(Service guarded, Service open, FirstRequests firsts) {
    super(guarded);
    this.open = open;
    this.firsts = firsts;
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    Sender sender = Sender.of(request);
    if (sender == null
        || sender.number < 1
        || facade() == Facade.V0
        || !RequestIdentities.isClientId(sender.clientId)) {
      return next.handle(method, context, request, reply);
    }
    // A client that has had a response has had the one to its first request.
    boolean mayOvertake = sender.number > 1 && sender.ackedBelow <= 1;
    if (sender.number > 1 && !mayOvertake && !firsts.mayOpen(sender.clientId, false)) {
      return next.handle(method, context, request, reply);
    }
    // Copied, so that it does not keep the whole request in memory.
    ByteString client = ByteString.copyFrom(sender.clientId.toByteArray());
    if (sender.number == 1) {
      return new FirstRequestCall<>(firsts, client, reply)
          .begin(to -> next.handle(method, context, request, to));
    }
    return new LaterRequestCall<>(
            firsts,
            open,
            client,
            mayOvertake,
            (held, to) -> next.handle(method, held, request, to),
            reply)
        .begin(context);
  }

  /** The identity that a request claims to have. */
  private record Sender(ByteString clientId, long number, long ackedBelow) {
    /** Null for a request that cannot have an identity. */
    static Sender of(Message request) {
      if (request instanceof ClaimRequest claim) {
        return new Sender(claim.getClientId(), claim.getRequestNumber(), claim.getAckedBelow());
      }
      if (request instanceof ModifyRequest modify) {
        return new Sender(modify.getClientId(), modify.getRequestNumber(), modify.getAckedBelow());
      }
      return request instanceof ClaimDocsRequest claim
          ? new Sender(claim.getClientId(), claim.getRequestNumber(), claim.getAckedBelow())
          : null;
    }
  }
}
