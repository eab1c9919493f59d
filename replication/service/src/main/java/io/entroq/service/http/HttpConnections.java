package io.entroq.service.http;

import io.entroq.service.limit.ConnectionBudget;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import io.entroq.service.limit.Origins;
import io.entroq.service.limit.RateLimitedLog;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections of a server. Any thread. */
final class HttpConnections {
  private static final Logger LOG = LoggerFactory.getLogger(HttpConnections.class);

  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
  private final ConnectionBudget budget;
  private final RateLimitedLog stalls = new RateLimitedLog(Duration.ofMinutes(1));
  private volatile boolean isDraining;

  HttpConnections(int max) {
    budget = new ConnectionBudget(max, new Origins());
  }

  /** Adds a connection; returns its origin, or null if there are too many. */
  Origin add(HttpConnection connection, SocketAddress remote) {
    Origin origin = budget.enter(remote);
    if (origin != null) {
      open.add(connection);
      // Either drain() sees this connection, or this sees that drain() was called.
      if (isDraining) {
        connection.drain();
      }
    }
    return origin;
  }

  /** Removes a connection. */
  void remove(HttpConnection connection, SocketAddress remote, Origin origin) {
    open.remove(connection);
    budget.leave(remote, origin);
    if (count() == 0) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** Logs that a connection is closed because the client does not read a response. */
  void logStall(SocketAddress remote, Duration stallMax) {
    stalls.run(
        suppressed ->
            LOG.info(
                "Closed the HTTP connection from {}: {} ({} more since the last such message).",
                remote,
                Limit.STALL.named(
                    "nothing of a response was read for " + stallMax.toMillis() + " ms"),
                suppressed));
  }

  int count() {
    return budget.count();
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
   * Waits until no connection is open.
   *
   * @return false on timeout
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
