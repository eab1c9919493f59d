package io.entroq.simulator.client;

import java.util.Locale;

/**
 * How many clients there are and how much they do.
 *
 * @param clients how many, at least 1
 * @param requestsPerSecond what all of them together send in a simulated second, 1 to {@link
 *     #REQUESTS_PER_SECOND_MAX}
 * @param startMs the time that clients take it to be when the world begins, milliseconds since the
 *     epoch
 * @param openTasksMax about how many tasks there are at most for any length of time, at least 1
 */
public record PopulationConfig(int clients, int requestsPerSecond, long startMs, int openTasksMax) {
  /** Most requests per second that a population can send. */
  public static final int REQUESTS_PER_SECOND_MAX = 1_000_000;

  /** Checks the ranges. */
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

  /** A busy world: 300 clients, 100 requests per second, up to some 2,000 tasks. */
  public static PopulationConfig busy(long startMs) {
    return new PopulationConfig(300, 100, startMs, 2_000);
  }
}
