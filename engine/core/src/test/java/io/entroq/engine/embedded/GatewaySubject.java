package io.entroq.engine.embedded;

import io.entroq.engine.local.LocalEntroQ;

/** An engine whose gateway is tested. */
public interface GatewaySubject extends AutoCloseable {
  LocalEntroQ queue();

  /** How many claims wait. */
  int parkedCount();

  /** Waits until all that was asked so far has been done. */
  void awaitQuiet();

  @Override
  void close();

  /** One of its own, in memory. */
  static GatewaySubject embedded() {
    EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
    return new GatewaySubject() {
      @Override
      public LocalEntroQ queue() {
        return queue;
      }

      @Override
      public int parkedCount() {
        return queue.engine().store().core().machine().parkedCount();
      }

      @Override
      public void awaitQuiet() {
        Await.until("the engine is idle", () -> queue.engine().isAsleep());
      }

      @Override
      public void close() {
        queue.close();
      }
    };
  }
}
