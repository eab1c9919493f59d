package io.entroq.load;

import org.HdrHistogram.AbstractHistogram;

/**
 * Latencies in microseconds; all 0 without operations.
 *
 * @param count of operations
 */
public record Percentiles(long count, double p50, double p90, double p99, double p999, double max) {
  static Percentiles of(AbstractHistogram nanoseconds) {
    return new Percentiles(
        nanoseconds.getTotalCount(),
        micros(nanoseconds.getValueAtPercentile(50)),
        micros(nanoseconds.getValueAtPercentile(90)),
        micros(nanoseconds.getValueAtPercentile(99)),
        micros(nanoseconds.getValueAtPercentile(99.9)),
        micros(nanoseconds.getMaxValue()));
  }

  private static double micros(long nanoseconds) {
    return nanoseconds / 1e3;
  }
}
