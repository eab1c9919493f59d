package io.entroq.service.call;

import com.google.protobuf.Message;

/** Reports each call to an observer. */
public final class ObservedService extends ServiceFilter {
  private final CallObserver observer;

  /** Reports the calls of a service. */
  public ObservedService(Service next, CallObserver observer) {
    super(next);
    this.observer = observer;
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    ObservedCall<S> call =
        new ObservedCall<>(method.isStream(), observer.started(method, context), reply);
    return call.started(next.handle(method, context, request, call));
  }
}
