package io.entroq.service.http;

import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import io.entroq.service.limit.Origins;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The connections of a server. Any thread. */
final class HttpConnections {
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
  private final Origins addresses = new Origins();
  private final Budget places;
  private volatile boolean isDraining;

  HttpConnections(int max) {
    places = new Budget(Limit.CONNECTIONS, max);
  }

  /** The origin of a connection, until {@link #forget}. */
  Origin origin(SocketAddress remote) {
    return addresses.enter(remote);
  }

  void forget(SocketAddress remote) {
    addresses.leave(remote);
  }

  /** Adds one if there is room, and its address has not its share. */
  boolean add(HttpConnection connection) {
    if (!places.tryTake(connection.origin(), 1, 0)) {
      return false;
    }
    open.add(connection);
    // drain() has seen this connection, or is seen here.
    if (isDraining) {
      connection.drain();
    }
    return true;
  }

  void remove(HttpConnection connection) {
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

  /** Closes each connection after its current response. */
  void drain() {
    isDraining = true;
    open.forEach(HttpConnection::drain);
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
