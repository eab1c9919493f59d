package io.entroq.service.limit;

import java.net.SocketAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the open connections of a port, by address. Logs a connection that is refused, at most one
 * a minute: it gets no answer, since it would stay open until it has read one. Any thread.
 */
public final class ConnectionBudget {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionBudget.class);

  private final Budget connections;
  private final Origins addresses;
  private final RateLimitedLog refusals = new RateLimitedLog(Duration.ofMinutes(1));

  /**
   * No connections.
   *
   * @param max how many may be open
   * @param addresses gets the addresses of the open connections
   */
  public ConnectionBudget(int max, Origins addresses) {
    connections = new Budget(Limit.CONNECTIONS, max);
    this.addresses = addresses;
  }

  /**
   * Counts a new connection until it {@link #leave}s.
   *
   * @return its address; null if it must be closed: there are too many, or its address has its
   *     share
   */
  public Origin enter(SocketAddress remote) {
    Origin address = addresses.enter(remote);
    if (connections.tryTake(address, 1, 0)) {
      return address;
    }
    long ofAddress = connections.taken(address);
    addresses.leave(remote);
    refusals.run(
        suppressed ->
            LOG.warn(
                "Closed a new connection from {}: {} ({} more since the last such message).",
                remote,
                Limit.CONNECTIONS.named(
                    "%,d of at most %,d are open, %,d of them from this address, which may have"
                            .formatted(connections.taken(), connections.max(), ofAddress)
                        + " three quarters of what others leave"),
                suppressed));
    return null;
  }

  /** A connection has been closed; once for each one that entered. */
  public void leave(SocketAddress remote, Origin address) {
    connections.give(address, 1);
    addresses.leave(remote);
  }

  /** How many are open. */
  public int count() {
    return Math.toIntExact(connections.taken());
  }
}
