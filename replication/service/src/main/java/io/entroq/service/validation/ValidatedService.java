package io.entroq.service.validation;

import com.google.protobuf.Message;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.service.call.AsOfHeader;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.RefusedException;
import java.util.Optional;

/**
 * Refuses malformed requests of the v1 API. In front of admission and authorization, so that the
 * answer to such a request depends on nothing else. The v0 API stays as tolerant as it was.
 */
public final class ValidatedService extends ServiceFilter {
  /** In front of a service. */
  public ValidatedService(Service next) {
    super(next);
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    try {
      // Of both APIs: no call may be answered as of another point than it names.
      Optional<HistoryPoint> unused = AsOfHeader.of(method, context);
      if (facade() == Facade.V1) {
        RequestRules.check(request, context.protocol());
      }
    } catch (RefusedException e) {
      reply.fail(e.refusal().of(method.label()));
      return Call.done();
    }
    return next.handle(method, context, request, reply);
  }
}
