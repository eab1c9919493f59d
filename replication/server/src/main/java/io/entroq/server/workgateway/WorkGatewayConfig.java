package io.entroq.server.workgateway;

import io.entroq.workers.WorkGateway;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * How a work gateway serves connections.
 *
 * @param address where to listen; port 0 for any
 * @param queues those that a connection may ask for
 * @param defaults configures a gateway for some of them, as far as its program asks for nothing
 *     else
 * @param connectionsMax how many programs may be connected at a time
 * @param messageBytesMax bytes of a message of a program
 * @param token what a program has to show as a bearer token; empty for nothing
 * @param origins of the pages that may connect, besides programs
 * @param requestTime how long a connection has for its request
 * @param pingInterval how long a connection may be silent before it is asked for a sign of life,
 *     and how long that may take
 */
public record WorkGatewayConfig(
    InetSocketAddress address,
    List<String> queues,
    Function<List<String>, WorkGateway.Builder> defaults,
    int connectionsMax,
    int messageBytesMax,
    Optional<String> token,
    Set<String> origins,
    Duration requestTime,
    Duration pingInterval) {
  /** The default: 100. */
  public static final int CONNECTIONS_DEFAULT = 100;

  /** The default: 16 MiB, twice the largest Modify. */
  public static final int MESSAGE_BYTES_DEFAULT = 16 << 20;

  /** The time that a connection has for its request: much, even for a slow network. */
  public static final Duration REQUEST_TIME = Duration.ofSeconds(10);

  /** Half of the shortest time for which proxies often keep a silent connection. */
  public static final Duration PING_INTERVAL = Duration.ofSeconds(30);
}
