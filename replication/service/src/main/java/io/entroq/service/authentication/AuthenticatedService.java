package io.entroq.service.authentication;

import com.google.protobuf.Message;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;

/**
 * Authenticates the caller of each call but Time: clients negotiate by it and probes check the
 * server by it, before they have a token.
 */
final class AuthenticatedService extends ServiceFilter {
  private final Authentication authentication;

  AuthenticatedService(Service next, Authentication authentication) {
    super(next);
    this.authentication = authentication;
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    return method == Method.TIME
        ? next.handle(method, context, request, reply)
        : authentication.require(
            context, reply, identified -> next.handle(method, identified, request, reply));
  }
}
