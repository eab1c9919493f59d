package io.entroq.api.worker;

import io.entroq.api.EntroQ;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One {@link Renewer} for each EntroQ of the process, shared by its workers: started with the first
 * worker, stopped with the last.
 */
final class Renewers {
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Map<Key, Shared> SHARED = new HashMap<>();

  private Renewers() {}

  /** Called when a worker starts. */
  static Renewer acquire(EntroQ queue, Ticker ticker) {
    LOCK.lock();
    try {
      Shared shared = SHARED.computeIfAbsent(new Key(queue, ticker), Shared::start);
      shared.users++;
      return shared.renewer;
    } finally {
      LOCK.unlock();
    }
  }

  /** Called when a worker has ended; once for each {@link #acquire}. */
  static void release(EntroQ queue, Ticker ticker) {
    LOCK.lock();
    try {
      Key key = new Key(queue, ticker);
      Shared shared = SHARED.get(key);
      shared.users--;
      if (shared.users == 0) {
        SHARED.remove(key);
        shared.renewer.stop();
      }
    } finally {
      LOCK.unlock();
    }
  }

  /** Compares by identity. */
  private record Key(EntroQ queue, Ticker ticker) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key that && queue == that.queue && ticker == that.ticker;
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(queue) + System.identityHashCode(ticker);
    }
  }

  private static final class Shared {
    private final Renewer renewer;
    private int users;

    private Shared(Renewer renewer) {
      this.renewer = renewer;
    }

    private static Shared start(Key key) {
      Renewer renewer = new Renewer(key.queue, key.ticker);
      Thread thread = new Thread(renewer::run, "entroq-renewer");
      thread.setDaemon(true);
      thread.start();
      return new Shared(renewer);
    }
  }
}
