package io.entroq.perf.report;

import java.util.Arrays;

/**
 * How values of several rounds lie. The median is the one to compare, the ends say how far to trust
 * it.
 */
public record Spread(double least, double median, double greatest) {
  /** Of one value or more. */
  public static Spread of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Spread(sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }

  /** Puts the three into a report, with their names after the given one. */
  public void into(Report report, String name) {
    report
        .figure(name + "Min", least)
        .figure(name + "Median", median)
        .figure(name + "Max", greatest);
  }
}
