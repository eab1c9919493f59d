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

/** Charts with a common look, as SVG: white, with the legend below. */
public final class Svg {
  private static final Pattern EXTRA_DIGITS = Pattern.compile("(\\.\\d\\d)\\d+");

  private Svg() {}

  public static void style(Chart<?, ?> chart) {
    chart
        .getStyler()
        .setLegendPosition(LegendPosition.OutsideS)
        .setLegendLayout(LegendLayout.Horizontal)
        .setLegendBorderColor(Color.WHITE)
        .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15))
        .setChartBackgroundColor(Color.WHITE);
  }

  public static void save(Chart<?, ?> chart, Path file) throws IOException {
    VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
    // A hundredth of a pixel is enough, and divides the length of the file by three.
    String svg = Files.readString(file);
    Files.writeString(file, EXTRA_DIGITS.matcher(svg).replaceAll("$1"));
  }
}
