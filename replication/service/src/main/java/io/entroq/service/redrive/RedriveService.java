package io.entroq.service.redrive;

import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.api.redrive.Redrive;
import io.entroq.codec.wire.edge.RedriveRequest;
import io.entroq.codec.wire.edge.RedriveResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Handlers;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;

/** Makes a redrive of other calls, which pass the filters behind this one. */
public final class RedriveService extends ServiceFilter {
  private final Redrives redrives;
  private final Handlers handlers = new Handlers().on(Method.REDRIVE, this::redrive);

  /** In front of a service, with the bound that several share. */
  public RedriveService(Service next, Redrives redrives) {
    super(next);
    this.redrives = redrives;
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    return handlers.handle(method, context, request, reply, next);
  }

  private Call redrive(CallContext context, RedriveRequest request, Reply<RedriveResponse> reply) {
    try {
      Redrive plan = RedriveMessages.plan(request);
      redrives.begin();
      return new RedriveCall(next, context, plan, redrives, reply).start(context);
    } catch (RefusedException e) {
      reply.fail(e.refusal().of(Method.REDRIVE.label()));
    } catch (EntroQException e) {
      reply.fail(Refusal.of(e).of(Method.REDRIVE.label()));
    }
    return Call.done();
  }
}
