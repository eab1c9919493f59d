package io.entroq.service.metrics;

import java.time.Duration;

/**
 * How much is reported about queues, of which there may be very many.
 *
 * @param queuesMax how many queues are reported by name, the largest; the rest are added up. 0 or
 *     more
 * @param queuesMaxAge how long the figures of queues are reused
 */
public record MetricsConfig(int queuesMax, Duration queuesMaxAge) {
  /** The thousand largest, at most 15 seconds old. */
  public static final MetricsConfig DEFAULT = new MetricsConfig(1_000, Duration.ofSeconds(15));

  /** Checks the range. */
  public MetricsConfig {
    if (queuesMax < 0) {
      throw new IllegalArgumentException("queues reported by name: negative: " + queuesMax);
    }
  }
}
