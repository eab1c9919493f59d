package io.entroq.client;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The window in use, and another one in its place when a server has forgotten it, or may not have
 * come to know it. Any thread.
 */
final class Windows {
  private final Window.Timer timer;
  private final AtomicReference<Window> current;

  Windows(Window.Timer timer) {
    this.timer = timer;
    this.current = new AtomicReference<>(newWindow());
  }

  Window current() {
    return current.get();
  }

  /** A server does not know the window, or may not. */
  void forget(Window forgotten) {
    boolean unused = current.compareAndSet(forgotten, newWindow());
  }

  private Window newWindow() {
    return new Window(ClientIds.random(), timer);
  }
}
