package io.entroq.console.chart;

import java.util.Locale;

/** Numbers as the coordinates of an SVG polyline. */
final class ChartPoints {
  private ChartPoints() {}

  /**
   * The coordinates of numbers at equal distances; empty if there are less than two. Those within a
   * level stretch are left out.
   *
   * @param values zero or more each
   * @param max what the upper edge stands for; not less than any of them
   */
  static String of(double[] values, double max, int width, int height) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < values.length && values.length > 1; i++) {
      boolean isEnd = i == 0 || i == values.length - 1;
      if (!isEnd && values[i] == values[i - 1] && values[i] == values[i + 1]) {
        continue;
      }
      double x = (double) width * i / (values.length - 1);
      double y = max == 0 ? height : height - height * values[i] / max;
      points.append(i == 0 ? "" : " ");
      appendTenths(points, x);
      appendTenths(points.append(','), y);
    }
    return points.toString();
  }

  /** Appends with one decimal. A chart has thousands of coordinates, too many for a formatter. */
  private static void appendTenths(StringBuilder text, double value) {
    long tenths = Math.round(10 * value);
    text.append(tenths / 10).append('.').append(tenths % 10);
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
