package io.entroq.service.metrics;

import java.time.Duration;

/**
 * How much is reported about queues.
 *
 * @param queuesMax how many of the largest queues are reported by name, 0 or more; the rest are
 *     added up
 * @param queuesMaxAge how long the statistics of queues are cached
 */
public record MetricsConfig(int queuesMax, Duration queuesMaxAge) {
  public static final MetricsConfig DEFAULT = new MetricsConfig(1_000, Duration.ofSeconds(15));

  public MetricsConfig {
    if (queuesMax < 0) {
      throw new IllegalArgumentException(
          "queues reported by name: must not be negative: " + queuesMax);
    }
  }
}
