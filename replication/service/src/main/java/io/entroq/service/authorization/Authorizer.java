package io.entroq.service.authorization;

import java.util.concurrent.CompletableFuture;

/** Decides what callers may do. Any thread; does not block. */
interface Authorizer extends AutoCloseable {
  /**
   * Asks for a decision.
   *
   * @return always completes with a decision, on any thread; cancel it when the caller no longer
   *     waits
   */
  CompletableFuture<Decision> ask(AuthorizationQuery query);

  /** Releases what it needs; pending decisions time out. */
  @Override
  default void close() {}
}
