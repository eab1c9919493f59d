package io.entroq.simulator.client;

import java.util.Locale;

/**
 * Number and load of clients.
 *
 * @param clients number of clients, at least 1
 * @param requestsPerSecond requests of all clients together per simulated second, 1 to {@link
 *     #REQUESTS_PER_SECOND_MAX}
 * @param startMs log time for the clients when the world begins, milliseconds since the epoch
 * @param openTasksMax approximate bound of the number of tasks, at least 1
 * @param mayHavePolicies whether some clients may use policies; the random numbers decide
 */
public record PopulationConfig(
    int clients, int requestsPerSecond, long startMs, int openTasksMax, boolean mayHavePolicies) {
  public static final int REQUESTS_PER_SECOND_MAX = 1_000_000;

  public PopulationConfig {
    if (clients < 1) {
      throw new IllegalArgumentException("clients must be at least 1, but is " + clients);
    }
    if (requestsPerSecond < 1 || requestsPerSecond > REQUESTS_PER_SECOND_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "requestsPerSecond must be from 1 to %d, but is %d",
              REQUESTS_PER_SECOND_MAX,
              requestsPerSecond));
    }
    if (openTasksMax < 1) {
      throw new IllegalArgumentException("openTasksMax must be at least 1, but is " + openTasksMax);
    }
  }

  /** Clients that use no policies. */
  public PopulationConfig(int clients, int requestsPerSecond, long startMs, int openTasksMax) {
    this(clients, requestsPerSecond, startMs, openTasksMax, false);
  }

  /** A busy world: 300 clients, 100 requests per second, up to some 2,000 tasks. */
  public static PopulationConfig busy(long startMs) {
    return new PopulationConfig(300, 100, startMs, 2_000);
  }
}
