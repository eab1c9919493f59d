package io.entroq.console.chart;

import java.util.List;

/**
 * Several lines over one time, as SVG polylines in a box of 600 x 120. Immutable.
 *
 * @param lines each with its name and points
 * @param max what the upper edge stands for, for people
 * @param span what the width stands for, for people
 */
public record LineChart(List<Line> lines, String max, String span) {
  private static final int WIDTH = 600;
  private static final int HEIGHT = 120;

  /**
   * A line.
   *
   * @param name what it counts
   * @param points coordinates
   * @param last its newest number, for people
   */
  public record Line(String name, String points, String last) {}

  /**
   * Numbers, oldest first.
   *
   * @param name what they count
   * @param values zero or more each
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  public record Series(String name, double[] values) {
    private double last() {
      return values.length == 0 ? 0 : values[values.length - 1];
    }
  }

  /**
   * Draws series of the same length.
   *
   * @param unit what a number counts, such as "tasks a second"
   * @param span such as "the last hour"
   */
  public static LineChart of(List<Series> series, String unit, String span) {
    double max = series.stream().mapToDouble(each -> ChartPoints.max(each.values)).max().orElse(0);
    List<Line> lines =
        series.stream()
            .map(
                each ->
                    new Line(
                        each.name,
                        ChartPoints.of(each.values, max, WIDTH, HEIGHT),
                        ChartPoints.text(each.last())))
            .toList();
    return new LineChart(lines, ChartPoints.text(max) + " " + unit, span);
  }
}
