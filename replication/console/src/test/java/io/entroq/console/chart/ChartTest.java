package io.entroq.console.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.console.chart.LineChart.Series;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChartTest {
  @Test
  void shouldDrawALine() {
    Sparkline line = Sparkline.of("done a minute", new double[] {0, 2, 4, 1});
    assertThat(line.points()).isEqualTo("0.0,24.0 40.0,12.0 80.0,0.0 120.0,18.0");
    assertThat(line.label()).isEqualTo("done a minute: at most 4, last 1");
  }

  @Test
  void shouldDrawNothingOfLessThanTwoNumbers() {
    assertThat(Sparkline.of("x", new double[0]).points()).isEmpty();
    assertThat(Sparkline.of("x", new double[] {1}).points()).isEmpty();
    assertThat(Sparkline.of("x", new double[] {0, 0}).points()).isEqualTo("0.0,24.0 120.0,24.0");
    assertThat(Sparkline.of("x", new double[] {0, 0, 0, 5, 5}).points())
        .as("without those that no line needs")
        .isEqualTo("0.0,24.0 60.0,24.0 90.0,0.0 120.0,0.0");
  }

  @Test
  void shouldDrawSeriesAtOneScale() {
    LineChart chart =
        LineChart.of(
            List.of(
                new Series("done", new double[] {0, 10}),
                new Series("failed", new double[] {5, 0.5})),
            "tasks a second",
            "the last hour");
    assertThat(chart.max()).isEqualTo("10 tasks a second");
    assertThat(chart.lines())
        .extracting(LineChart.Line::points)
        .containsExactly("0.0,120.0 600.0,0.0", "0.0,60.0 600.0,114.0");
    assertThat(chart.lines()).extracting(LineChart.Line::last).containsExactly("10", "0.5");
  }
}
