package io.entroq.client;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The window in use, and another one in its place when a server has forgotten it, or may not have
 * come to know it. Any thread.
 */
final class CurrentWindow {
  private final RequestWindow.Timer timer;
  private final AtomicReference<RequestWindow> current;

  CurrentWindow(RequestWindow.Timer timer) {
    this.timer = timer;
    this.current = new AtomicReference<>(newWindow());
  }

  RequestWindow current() {
    return current.get();
  }

  /** A server does not know the window, or may not. */
  void forget(RequestWindow forgotten) {
    boolean unused = current.compareAndSet(forgotten, newWindow());
  }

  private RequestWindow newWindow() {
    return new RequestWindow(ClientIds.random(), timer);
  }
}
