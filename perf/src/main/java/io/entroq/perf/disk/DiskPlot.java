package io.entroq.perf.disk;

import io.entroq.perf.report.Svg;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Plots bytes on disk over time, and per live byte, as SVG. */
final class DiskPlot {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 420;
  private static final int POINTS_MAX = 600;
  private static final double GIB = 1L << 30;

  /** With less live data, one segment of the log would dominate the ratio. */
  private static final long LIVE_BYTES_COMPARED = 64 << 20;

  private static final Color DISK = new Color(0x1f77b4);
  private static final Color LIVE = new Color(0x2ca02c);
  private static final Color BOUND = new Color(0xd62728);

  private final List<DiskSample> samples;

  DiskPlot(List<DiskSample> samples) {
    this.samples = thinned(samples);
  }

  /** Keeps the sample nearest to the bound of each group of neighbors. */
  private static List<DiskSample> thinned(List<DiskSample> samples) {
    int group = 1 + (samples.size() - 1) / POINTS_MAX;
    List<DiskSample> kept = new ArrayList<>();
    for (int i = 0; i < samples.size(); i += group) {
      samples.subList(i, Math.min(samples.size(), i + group)).stream()
          .max(Comparator.comparingDouble(DiskSample::shareOfBound))
          .ifPresent(kept::add);
    }
    return kept;
  }

  void drawBytes(Path file) throws IOException {
    XYChart chart = chart("Bytes on disk while tasks come and go", "GiB");
    line(chart, "bound: 4 x live + 1 GiB", samples, s -> s.boundBytes() / GIB, BOUND);
    line(chart, "on disk", samples, s -> s.diskBytes() / GIB, DISK);
    line(chart, "live", samples, s -> s.liveBytes() / GIB, LIVE);
    Svg.save(chart, file);
  }

  /** Has gaps where there is too little live data. */
  void drawRatio(Path file) throws IOException {
    if (samples.stream().noneMatch(DiskPlot::isCompared)) {
      return;
    }
    XYChart chart = chart("Bytes on disk per live byte, where 64 MiB or more are live", "");
    line(chart, "bound", samples, s -> perLive(s, s.boundBytes()), BOUND);
    line(chart, "on disk", samples, s -> perLive(s, s.diskBytes()), DISK);
    Svg.save(chart, file);
  }

  private static boolean isCompared(DiskSample sample) {
    return sample.liveBytes() >= LIVE_BYTES_COMPARED;
  }

  private static double perLive(DiskSample sample, long bytes) {
    return isCompared(sample) ? (double) bytes / sample.liveBytes() : Double.NaN;
  }

  private static XYChart chart(String title, String unit) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .theme(ChartTheme.Matlab)
            .title(title)
            .xAxisTitle("minutes")
            .yAxisTitle(unit)
            .build();
    chart.getStyler().setYAxisMin(0.0).setXAxisMin(0.0).setPlotGridVerticalLinesVisible(false);
    Svg.style(chart);
    return chart;
  }

  private static void line(
      XYChart chart,
      String name,
      List<DiskSample> samples,
      ToDoubleFunction<DiskSample> value,
      Color color) {
    double[] minutes = samples.stream().mapToDouble(s -> s.seconds() / 60).toArray();
    double[] values = samples.stream().mapToDouble(value).toArray();
    XYSeries series = chart.addSeries(name, minutes, values);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineColor(color);
    series.setLineStyle(new BasicStroke(1.6f));
  }
}
