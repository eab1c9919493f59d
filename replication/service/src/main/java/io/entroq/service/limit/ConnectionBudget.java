package io.entroq.service.limit;

import java.net.SocketAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the open connections of a port, by address. Logs refused connections, at most one a
 * minute. They get no response, which would keep them open until it is read. Any thread.
 */
public final class ConnectionBudget {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionBudget.class);

  private final Budget connections;
  private final Origins addresses;
  private final RateLimitedLog refusals = new RateLimitedLog(Duration.ofMinutes(1));

  /**
   * @param max open connections
   * @param addresses tracks the addresses of the open connections
   */
  public ConnectionBudget(int max, Origins addresses) {
    connections = new Budget(Limit.CONNECTIONS, max);
    this.addresses = addresses;
  }

  /**
   * Counts a new connection until {@link #leave}.
   *
   * @return its address; null if it must be closed because there are too many, in all or from its
   *     address
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

  /** Call once when a counted connection is closed. */
  public void leave(SocketAddress remote, Origin address) {
    connections.give(address, 1);
    addresses.leave(remote);
  }

  /** The number of open connections. */
  public int count() {
    return Math.toIntExact(connections.taken());
  }
}
