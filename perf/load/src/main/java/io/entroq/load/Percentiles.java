package io.entroq.load;

import org.HdrHistogram.AbstractHistogram;

/**
 * How long operations took, in microseconds; all 0 if there were none.
 *
 * @param count how many there were
 * @param p50 the median
 * @param p90 nine in ten took no longer
 * @param p99 all but one in a hundred took no longer
 * @param p999 all but one in a thousand took no longer
 * @param max the longest
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
