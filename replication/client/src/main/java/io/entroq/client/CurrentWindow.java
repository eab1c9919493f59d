package io.entroq.client;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The request window in use. It is replaced when a server has forgotten its client id, or may never
 * have seen it. Any thread.
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

  /** Replaces a window, unless that has happened already. */
  void replace(RequestWindow window) {
    boolean unused = current.compareAndSet(window, newWindow());
  }

  private RequestWindow newWindow() {
    return new RequestWindow(ClientIds.random(), timer);
  }
}
