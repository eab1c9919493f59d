package io.entroq.perf.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

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

  /** For a report. */
  public Map<String, Object> toMap() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("min", least);
    values.put("median", median);
    values.put("max", greatest);
    return values;
  }
}
