package io.entroq.service.authz;

import java.util.concurrent.CompletableFuture;

/** Knows who decides. Any thread; does not block. */
interface Asker {
  /**
   * Asks.
   *
   * @return is completed with a verdict, whatever happens, on any thread; to cancel it is to say
   *     that nobody wants to know any more
   */
  CompletableFuture<Verdict> ask(Question question);
}
