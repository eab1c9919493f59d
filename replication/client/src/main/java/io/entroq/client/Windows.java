package io.entroq.client;

import java.util.concurrent.atomic.AtomicReference;

/** The window in use, and another one in its place when a server has forgotten it. Any thread. */
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

  /** A server does not know the window any more. */
  void forget(Window forgotten) {
    boolean unused = current.compareAndSet(forgotten, newWindow());
  }

  private Window newWindow() {
    return new Window(ClientIds.random(), timer);
  }
}
