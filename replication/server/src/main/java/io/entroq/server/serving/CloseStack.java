package io.entroq.server.serving;

import io.entroq.engine.Closing;
import java.util.ArrayDeque;
import java.util.Deque;

/** Closes resources in reverse order of their creation. For one thread. */
final class CloseStack implements AutoCloseable {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** Adds a resource, to be closed before all others. */
  <T extends AutoCloseable> T add(T part) {
    opened.push(part);
    return part;
  }

  /** Closes all, even if some fail. */
  @Override
  public void close() {
    AutoCloseable[] parts = opened.toArray(AutoCloseable[]::new);
    opened.clear();
    Closing.all(parts);
  }
}
