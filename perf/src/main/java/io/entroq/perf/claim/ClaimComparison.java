package io.entroq.perf.claim;

import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Sides measured in turns, round after round. In each round every side is set in relation to the
 * first of that round; the median of these relations is what can be relied on.
 */
final class ClaimComparison {
  private static final double[] PERCENTILES = {50, 99, 99.9};
  private static final String[] NAMES = {"p50", "p99", "p999"};
  private static final int P99 = 1;
  private static final double NS_PER_US = 1e3;

  private final List<ClaimSide> sides;
  private final int rounds;

  /** By side, percentile and round, microseconds. */
  private final double[][][] us;

  ClaimComparison(List<ClaimSide> sides, int rounds) {
    this.sides = sides;
    this.rounds = rounds;
    this.us = new double[sides.size()][PERCENTILES.length][rounds];
  }

  /**
   * Measures.
   *
   * @param claims how many of each side in a round
   */
  void run(int warmUpRounds, int claims) {
    for (int round = -warmUpRounds; round < rounds; round++) {
      for (int i = 0; i < sides.size(); i++) {
        // Forwards and backwards in turn, so that no side always comes after the same other.
        int side = round % 2 == 0 ? i : sides.size() - 1 - i;
        Histogram measured = sides.get(side).measure(claims);
        if (round >= 0) {
          keep(side, round, measured);
        }
      }
      if (round >= 0) {
        note(round);
      }
    }
  }

  private void keep(int side, int round, Histogram measured) {
    for (int i = 0; i < PERCENTILES.length; i++) {
      us[side][i][round] = measured.getValueAtPercentile(PERCENTILES[i]) / NS_PER_US;
    }
  }

  private void note(int round) {
    StringBuilder line = new StringBuilder("round " + round + ", p99 in us:");
    for (int side = 0; side < us.length; side++) {
      line.append(
          String.format(Locale.ROOT, "  %s %.1f", sides.get(side).name(), us[side][P99][round]));
    }
    Report.note("%s", line);
  }

  /** Prints medians over the rounds, and puts them with the relations into the report. */
  void tell(Report report) {
    Table table =
        new Table("claim, us", "p50", "p99", "p99.9", "p99 to first", "least", "greatest");
    List<Map<String, Object>> figures = new ArrayList<>();
    for (int side = 0; side < us.length; side++) {
      Spread p99 = ratios(side, P99);
      table.row(
          sides.get(side).name(),
          Spread.of(us[side][0]).median(),
          Spread.of(us[side][P99]).median(),
          Spread.of(us[side][2]).median(),
          twoDigits(p99.median()),
          twoDigits(p99.least()),
          twoDigits(p99.greatest()));
      figures.add(figures(side));
    }
    table.print();
    report.figure("sides", figures);
  }

  private Map<String, Object> figures(int side) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("name", sides.get(side).name());
    for (int i = 0; i < PERCENTILES.length; i++) {
      figures.put(NAMES[i] + "Us", Spread.of(us[side][i]).median());
      figures.put(NAMES[i] + "ToFirst", ratios(side, i).median());
    }
    return figures;
  }

  private Spread ratios(int side, int percentile) {
    double[] ratios = new double[rounds];
    Arrays.setAll(ratios, round -> us[side][percentile][round] / us[0][percentile][round]);
    return Spread.of(ratios);
  }

  private static String twoDigits(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }
}
