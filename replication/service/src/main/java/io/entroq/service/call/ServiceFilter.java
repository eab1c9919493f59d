package io.entroq.service.call;

import com.google.protobuf.Message;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import java.util.Optional;

/** Wraps a service, and may observe, delay, change or refuse its calls. Any thread. */
public abstract class ServiceFilter implements Service {
  /** The wrapped service. */
  protected final Service next;

  /** Wraps a service. */
  protected ServiceFilter(Service next) {
    this.next = next;
  }

  @Override
  public final Facade facade() {
    return next.facade();
  }

  @Override
  public final Optional<Refusal> check(Method<?, ?> method, CallContext context, Message request) {
    return next.check(method, context, request);
  }
}
