package io.entroq.console.chart;

/**
 * A line without axes, as the points of an SVG polyline in a box of 120 x 24.
 *
 * @param points coordinates; empty if there is nothing to draw
 * @param label what it shows, for those who do not see it
 */
public record Sparkline(String points, String label) {
  private static final int WIDTH = 120;
  private static final int HEIGHT = 24;

  /**
   * Draws numbers, oldest first.
   *
   * @param what they count, such as "done an hour"
   * @param values zero or more each
   */
  public static Sparkline of(String what, double[] values) {
    double max = ChartPoints.max(values);
    double last = values.length == 0 ? 0 : values[values.length - 1];
    return new Sparkline(
        ChartPoints.of(values, max, WIDTH, HEIGHT),
        "%s: at most %s, last %s".formatted(what, ChartPoints.text(max), ChartPoints.text(last)));
  }
}
