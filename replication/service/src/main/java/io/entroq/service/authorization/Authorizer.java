package io.entroq.service.authorization;

import java.util.concurrent.CompletableFuture;

/** Decides what callers may do. Any thread; does not block. */
interface Authorizer {
  /**
   * Asks.
   *
   * @return is completed with a decision, whatever happens, on any thread; to cancel it is to say
   *     that nobody wants to know any more
   */
  CompletableFuture<Decision> ask(AuthorizationQuery query);
}
