package io.entroq.service.http;

import io.entroq.service.admission.Budget;
import io.entroq.service.call.Origin;
import io.entroq.service.call.Origins;
import io.entroq.service.call.Resource;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The connections of a server. Any thread. */
final class Connections {
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final Origins addresses = new Origins();
  private final Budget places;
  private volatile boolean isDraining;

  Connections(int max) {
    places = new Budget(Resource.CONNECTIONS, max);
  }

  /** Where a connection comes from; it is told to {@link #forget} that once. */
  Origin origin(SocketAddress remote) {
    return addresses.enter(remote);
  }

  void forget(SocketAddress remote) {
    addresses.leave(remote);
  }

  /** Adds one if there is room, and its address has not its share. */
  boolean add(Connection connection) {
    if (!places.tryTake(connection.origin(), 1, 0)) {
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
    if (open.remove(connection)) {
      places.give(connection.origin(), 1);
      if (count() == 0) {
        synchronized (this) {
          notifyAll();
        }
      }
    }
  }

  int count() {
    return Math.toIntExact(places.taken());
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
    while (count() > 0) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }
}
