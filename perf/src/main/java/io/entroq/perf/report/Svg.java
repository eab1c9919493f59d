package io.entroq.perf.report;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Charts as SVG that all look alike: white, with the legend below. */
public final class Svg {
  private static final Pattern DIGITS_BEYOND = Pattern.compile("(\\.\\d\\d)\\d+");

  private Svg() {}

  /** Gives a chart the common look. */
  public static void style(Chart<?, ?> chart) {
    chart
        .getStyler()
        .setLegendPosition(LegendPosition.OutsideS)
        .setLegendLayout(LegendLayout.Horizontal)
        .setLegendBorderColor(Color.WHITE)
        .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15))
        .setChartBackgroundColor(Color.WHITE);
  }

  /** Writes a chart to a file. */
  public static void save(Chart<?, ?> chart, Path file) throws IOException {
    VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
    // A hundredth of a pixel is enough, and makes the file a third as long.
    String svg = Files.readString(file);
    Files.writeString(file, DIGITS_BEYOND.matcher(svg).replaceAll("$1"));
  }
}
