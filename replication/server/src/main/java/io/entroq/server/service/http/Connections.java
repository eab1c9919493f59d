package io.entroq.server.service.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The connections of a server. Any thread. */
final class Connections {
  private final int max;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();
  private volatile boolean isDraining;

  Connections(int max) {
    this.max = max;
  }

  /** Adds one if there is room. */
  boolean add(Connection connection) {
    if (count.incrementAndGet() > max) {
      count.decrementAndGet();
      return false;
    }
    open.add(connection);
    // Whoever drains has seen it, or is seen here.
    if (isDraining) {
      connection.drain();
    }
    return true;
  }

  void remove(Connection connection) {
    if (open.remove(connection) && count.decrementAndGet() == 0) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  int count() {
    return count.get();
  }

  boolean isDraining() {
    return isDraining;
  }

  /** Has each of them end with the answer to what it has been asked. */
  void drain() {
    isDraining = true;
    open.forEach(Connection::drain);
  }

  /**
   * Waits until there is none.
   *
   * @return whether that was in time
   */
  synchronized boolean awaitNone(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (count.get() > 0) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }
}
