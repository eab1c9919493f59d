package io.entroq.service.authorization;

import com.google.protobuf.Message;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;

/**
 * For a caller in this process that has authenticated its users itself, such as the console: a
 * context with a principal is taken as it is, and any other as it would be of a client.
 */
final class IdentifiedService extends ServiceFilter {
  private final Service guarded;

  /**
   * @param identified authorizes by the principal
   * @param guarded authenticates first
   */
  IdentifiedService(Service identified, Service guarded) {
    super(identified);
    this.guarded = guarded;
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    return (context.principal().isPresent() ? next : guarded)
        .handle(method, context, request, reply);
  }
}
