package io.entroq.server.serving;

import io.entroq.engine.Closing;
import java.util.ArrayDeque;
import java.util.Deque;

/** Closes resources in reverse order of their creation. For one thread. */
final class CloseStack implements AutoCloseable {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** Adds a resource, which is closed before those added earlier. */
  <T extends AutoCloseable> T add(T resource) {
    opened.push(resource);
    return resource;
  }

  /** Closes all resources, even if closing some of them fails. */
  @Override
  public void close() {
    AutoCloseable[] resources = opened.toArray(AutoCloseable[]::new);
    opened.clear();
    Closing.all(resources);
  }
}
