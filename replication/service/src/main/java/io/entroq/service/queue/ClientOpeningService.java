package io.entroq.service.queue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Handlers.Handler;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.RequestIdentities;

/** Makes each request of a client with an identity follow the client's first one. */
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
    Handler<Q, S> guarded = (held, message, to) -> next.handle(method, held, message, to);
    if (request instanceof ClaimRequest claim) {
      return handle(
          claim.getClientId(),
          claim.getRequestNumber(),
          claim.getAckedBelow(),
          guarded,
          context,
          request,
          reply);
    }
    if (request instanceof ModifyRequest modify) {
      return handle(
          modify.getClientId(),
          modify.getRequestNumber(),
          modify.getAckedBelow(),
          guarded,
          context,
          request,
          reply);
    }
    if (request instanceof ClaimDocsRequest claim) {
      return handle(
          claim.getClientId(),
          claim.getRequestNumber(),
          claim.getAckedBelow(),
          guarded,
          context,
          request,
          reply);
    }
    return guarded.handle(context, request, reply);
  }

  private <Q, S> Call handle(
      ByteString clientId,
      long number,
      long ackedBelow,
      Handler<Q, S> guarded,
      CallContext context,
      Q request,
      Reply<S> reply) {
    if (number < 1 || facade() == Facade.V0 || !RequestIdentities.isClientId(clientId)) {
      return guarded.handle(context, request, reply);
    }
    // A client that has had a response has had the one to its first request.
    boolean mayOvertake = number > 1 && ackedBelow <= 1;
    if (number > 1 && !mayOvertake && !firsts.mayOpen(clientId, false)) {
      return guarded.handle(context, request, reply);
    }
    // Copied, so that it does not keep the whole request in memory.
    ByteString client = ByteString.copyFrom(clientId.toByteArray());
    if (number == 1) {
      return new FirstRequestCall<>(firsts, client, reply)
          .begin(to -> guarded.handle(context, request, to));
    }
    return new LaterRequestCall<>(
            firsts,
            open,
            client,
            mayOvertake,
            (held, to) -> guarded.handle(held, request, to),
            reply)
        .begin(context);
  }
}
