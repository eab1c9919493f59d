package io.entroq.service.metrics;

import java.time.Duration;

/**
 * How much is told of queues, which may be very many.
 *
 * @param queuesMax of so many, the largest, each is told of by name; of the rest together. 0 or
 *     more
 * @param queuesMaxAge what was found out about queues is told again for so long
 */
public record MetricsConfig(int queuesMax, Duration queuesMaxAge) {
  /** The thousand largest, at most 15 seconds old. */
  public static final MetricsConfig DEFAULT = new MetricsConfig(1_000, Duration.ofSeconds(15));

  /** Checks the number. */
  public MetricsConfig {
    if (queuesMax < 0) {
      throw new IllegalArgumentException("queues told of by name: negative: " + queuesMax);
    }
  }
}
