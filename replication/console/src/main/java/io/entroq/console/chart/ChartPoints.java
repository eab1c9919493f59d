package io.entroq.console.chart;

import java.util.Locale;

/** Numbers as the coordinates of an SVG polyline. */
final class ChartPoints {
  private ChartPoints() {}

  /**
   * The coordinates of numbers at equal distances; empty if there are less than two.
   *
   * @param values zero or more each
   * @param max what the upper edge stands for; not less than any of them
   */
  static String of(double[] values, double max, int width, int height) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < values.length && values.length > 1; i++) {
      double x = (double) width * i / (values.length - 1);
      double y = max == 0 ? height : height - height * values[i] / max;
      points.append(String.format(Locale.ROOT, "%s%.1f,%.1f", i == 0 ? "" : " ", x, y));
    }
    return points.toString();
  }

  /** The largest number; 0 if there is none. */
  static double max(double[] values) {
    double max = 0;
    for (double value : values) {
      max = Math.max(max, value);
    }
    return max;
  }

  /** A number for people: with one decimal if it is small and not whole. */
  static String text(double value) {
    return value == Math.rint(value) || value >= 100
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.1f", value);
  }
}
