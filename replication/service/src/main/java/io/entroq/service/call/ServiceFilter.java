package io.entroq.service.call;

import io.entroq.service.translation.Facade;

/**
 * A service in front of another one, which may watch, delay, change or refuse its calls. Any
 * thread.
 */
public abstract class ServiceFilter implements Service {
  /** Handles what this lets through. */
  protected final Service next;

  private final Facade facade;

  /** In front of a service. */
  protected ServiceFilter(Service next) {
    this.next = next;
    facade = next.facade();
  }

  @Override
  public final Facade facade() {
    return facade;
  }
}
