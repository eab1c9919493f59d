package io.entroq.server.serving;

import io.entroq.engine.Closing;
import java.util.ArrayDeque;
import java.util.Deque;

/** What has begun, to be ended the other way round. For one thread. */
final class Parts implements AutoCloseable {
  private final Deque<AutoCloseable> begun = new ArrayDeque<>();

  /** One more has begun, after all others. */
  <T extends AutoCloseable> T add(T part) {
    begun.push(part);
    return part;
  }

  /** Ends all, whatever happens to some. */
  @Override
  public void close() {
    AutoCloseable[] parts = begun.toArray(AutoCloseable[]::new);
    begun.clear();
    Closing.all(parts);
  }
}
