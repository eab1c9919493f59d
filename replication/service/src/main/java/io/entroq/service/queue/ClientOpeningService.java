package io.entroq.service.queue;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimDocsResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.ForwardingService;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.RequestIdentities;

/** Has each request of a client with an identity follow its first one. */
final class ClientOpeningService extends ForwardingService {
  private final Service guarded;
  private final Service open;
  private final FirstRequests firsts;

  ClientOpeningService(Service guarded, Service open, FirstRequests firsts) {
    super(guarded);
    this.guarded = guarded;
    this.open = open;
    this.firsts = firsts;
  }

  @Override
  public Call tryClaim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    return pass(
        context,
        request.getClientId(),
        request.getRequestNumber(),
        request.getAckedBelow(),
        reply,
        (held, to) -> guarded.tryClaim(held, request, to));
  }

  @Override
  public Call claim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    return pass(
        context,
        request.getClientId(),
        request.getRequestNumber(),
        request.getAckedBelow(),
        reply,
        (held, to) -> guarded.claim(held, request, to));
  }

  @Override
  public Call modify(CallContext context, ModifyRequest request, Reply<ModifyResponse> reply) {
    return pass(
        context,
        request.getClientId(),
        request.getRequestNumber(),
        request.getAckedBelow(),
        reply,
        (held, to) -> guarded.modify(held, request, to));
  }

  @Override
  public Call claimDocs(
      CallContext context, ClaimDocsRequest request, Reply<ClaimDocsResponse> reply) {
    return pass(
        context,
        request.getClientId(),
        request.getRequestNumber(),
        request.getAckedBelow(),
        reply,
        (held, to) -> guarded.claimDocs(held, request, to));
  }

  private <S> Call pass(
      CallContext context,
      ByteString clientId,
      long number,
      long ackedBelow,
      Reply<S> reply,
      LaterRequestCall.Attempt<S> attempt) {
    if (number < 1 || facade() == Facade.V0 || !RequestIdentities.isClientId(clientId)) {
      return attempt.begin(context, reply);
    }
    // Whoever has had an answer has had one to his first request.
    boolean mayOvertake = number > 1 && ackedBelow <= 1;
    if (number > 1 && !mayOvertake && !firsts.mayOpen(clientId, false)) {
      return attempt.begin(context, reply);
    }
    // Copied, so that it does not keep the whole request.
    ByteString client = ByteString.copyFrom(clientId.toByteArray());
    if (number == 1) {
      return new FirstRequestCall<>(firsts, client, reply).begin(to -> attempt.begin(context, to));
    }
    return new LaterRequestCall<>(firsts, open, client, mayOvertake, attempt, reply).begin(context);
  }
}
