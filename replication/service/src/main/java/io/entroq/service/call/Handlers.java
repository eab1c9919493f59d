package io.entroq.service.call;

import com.google.protobuf.Message;

/** The handlers of a service by method. Filled before use, then any thread. */
public final class Handlers {
  private final Handler<?, ?>[] byIndex = new Handler<?, ?>[Method.ALL.size()];

  /** Without handlers. */
  public Handlers() {}

  /** Sets the handler of a method. */
  public <Q extends Message, S extends Message> Handlers on(
      Method<Q, S> method, Handler<Q, S> handler) {
    byIndex[method.index()] = handler;
    return this;
  }

  /** The handler of a method; null if there is none. */
  // Filled by on() alone, whose types agree.
  @SuppressWarnings("unchecked")
  public <Q extends Message, S extends Message> Handler<Q, S> of(Method<Q, S> method) {
    return (Handler<Q, S>) byIndex[method.index()];
  }

  /** Starts a call of a method that has a handler here, and hands any other on to a service. */
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply, Service next) {
    Handler<Q, S> handler = of(method);
    return handler == null
        ? next.handle(method, context, request, reply)
        : handler.handle(context, request, reply);
  }

  /**
   * Handles the calls of one method.
   *
   * @param <Q> the request
   * @param <S> the response
   */
  @FunctionalInterface
  public interface Handler<Q, S> {
    /** Starts a call, like {@link Service#handle}. */
    Call handle(CallContext context, Q request, Reply<S> reply);
  }
}
