package io.entroq.service.call;

import io.entroq.service.translation.Facade;

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
}
