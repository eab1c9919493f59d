package io.entroq.perf.peers.report;

import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.run.Measured;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Svg;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler.ChartTheme;

/** Plots the medians of one durability class as bars on a logarithmic axis. */
final class PeerPlot {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 420;

  /** A logarithmic axis has no zero; missing values become bars without height. */
  private static final double LEAST = 1;

  private static final Color[] COLORS = {
    new Color(0x1f77b4), new Color(0x2ca02c), new Color(0xd62728), new Color(0x9467bd)
  };

  private final String heading;
  private final List<Summary> summaries;
  private final List<String> peers;
  private final List<Shape> shapes;

  /**
   * @param heading begins the titles
   * @param summaries of one durability class
   */
  PeerPlot(String heading, List<Summary> summaries) {
    this.heading = heading;
    this.summaries = summaries.stream().filter(s -> !s.measured().isEmpty()).toList();
    peers = this.summaries.stream().map(Summary::peer).distinct().toList();
    shapes = this.summaries.stream().map(Summary::shape).distinct().toList();
  }

  void drawThroughput(Path file) throws IOException {
    if (peers.isEmpty()) {
      return;
    }
    CategoryChart chart = chart("tasks through the whole cycle per second");
    shapes.forEach(shape -> bars(chart, shape.title(), shape, Measured::tasksPerSecond));
    Svg.save(chart, file);
  }

  void drawLatency(Path file) throws IOException {
    List<Shape> synchronous = shapes.stream().filter(Shape::isSynchronous).toList();
    if (synchronous.isEmpty()) {
      return;
    }
    CategoryChart chart = chart("microseconds for a cycle of one task");
    for (Shape shape : synchronous) {
      String who = shape.callers() == 1 ? "1 caller" : shape.callers() + " callers";
      bars(chart, who + ", p50", shape, Measured::p50Us);
      bars(chart, who + ", p99", shape, Measured::p99Us);
    }
    Svg.save(chart, file);
  }

  private void bars(
      CategoryChart chart, String name, Shape shape, ToDoubleFunction<Measured> figure) {
    List<Double> medians = peers.stream().map(peer -> median(peer, shape, figure)).toList();
    chart.addSeries(name, peers, medians);
    double least = medians.stream().mapToDouble(median -> median).min().orElse(LEAST);
    // The next lower power of ten, so that the lowest bar has a height.
    double floor = Math.pow(10, Math.ceil(Math.log10(least)) - 1);
    Double lowest = chart.getStyler().getYAxisMin();
    chart
        .getStyler()
        .setYAxisMin(Math.max(LEAST, lowest == null ? floor : Math.min(floor, lowest)));
  }

  private double median(String peer, Shape shape, ToDoubleFunction<Measured> figure) {
    return summaries.stream()
        .filter(summary -> summary.peer().equals(peer) && summary.shape().equals(shape))
        .findFirst()
        .flatMap(summary -> summary.spread(figure))
        .map(Spread::median)
        .filter(median -> median > LEAST)
        .orElse(LEAST);
  }

  private CategoryChart chart(String what) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .theme(ChartTheme.Matlab)
            .title(heading + ": " + what)
            .build();
    chart
        .getStyler()
        .setYAxisLogarithmic(true)
        .setYAxisDecimalPattern("#,##0")
        .setPlotGridVerticalLinesVisible(false)
        .setSeriesColors(COLORS);
    Svg.style(chart);
    return chart;
  }
}
