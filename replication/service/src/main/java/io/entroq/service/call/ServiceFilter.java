package io.entroq.service.call;

import io.entroq.service.translation.Facade;

/**
 * A service in front of another one, which may watch, delay, change or refuse its calls. Any
 * thread.
 */
public abstract class ServiceFilter implements Service {
  /** Handles what this lets through. */
  protected final Service next;

  /** In front of a service. */
  protected ServiceFilter(Service next) {
    this.next = next;
  }

  @Override
  public final Facade facade() {
    return next.facade();
  }
}
