package io.entroq.perf.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The values of several rounds: compare the median, and see from the ends how far to trust it. */
public record Spread(double least, double median, double greatest) {
  /** The spread of one value or more. */
  public static Spread of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Spread(sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }

  /** The spread of one value per round. */
  public static <T> Spread of(List<T> rounds, ToDoubleFunction<T> value) {
    return of(rounds.stream().mapToDouble(value).toArray());
  }

  /** The spread of the ratios of two values, round by round. */
  public static Spread ofRatios(List<Double> values, List<Double> others) {
    double[] ratios = new double[values.size()];
    Arrays.setAll(ratios, i -> values.get(i) / others.get(i));
    return of(ratios);
  }

  /** The same values in another unit. */
  public Spread dividedBy(double divisor) {
    return new Spread(least / divisor, median / divisor, greatest / divisor);
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
