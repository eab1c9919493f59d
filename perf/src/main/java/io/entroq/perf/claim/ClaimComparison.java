package io.entroq.perf.claim;

import io.entroq.perf.report.LatencyTable;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Measures sides in turns, round after round, and compares each with the first side of its round.
 */
final class ClaimComparison {
  private static final double[] PERCENTILES = {50, 99, 99.9};
  private static final String[] NAMES = {"p50", "p99", "p999"};
  private static final int P99 = 1;

  private final List<ClaimSide> sides;
  private final int rounds;

  /** By side and percentile, in microseconds for each round. */
  private final List<List<List<Double>>> us = new ArrayList<>();

  ClaimComparison(List<ClaimSide> sides, int rounds) {
    this.sides = sides;
    this.rounds = rounds;
    for (int i = 0; i < sides.size(); i++) {
      us.add(List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
    }
  }

  /**
   * Measures.
   *
   * @param claims claims of each side in a round
   */
  void run(int warmUpRounds, int claims) {
    for (int round = -warmUpRounds; round < rounds; round++) {
      for (int i = 0; i < sides.size(); i++) {
        // Forward and backward in turn, so that no side always follows the same other side.
        int side = round % 2 == 0 ? i : sides.size() - 1 - i;
        Histogram measured = sides.get(side).measure(claims);
        if (round >= 0) {
          record(side, measured);
        }
      }
      if (round >= 0) {
        note(round);
      }
    }
  }

  private void record(int side, Histogram measured) {
    for (int i = 0; i < PERCENTILES.length; i++) {
      us.get(side).get(i).add(LatencyTable.us(measured, PERCENTILES[i]));
    }
  }

  private void note(int round) {
    StringBuilder line = new StringBuilder("round " + round + ", p99 in us:");
    for (int side = 0; side < sides.size(); side++) {
      line.append(
          String.format(
              Locale.ROOT, "  %s %.1f", sides.get(side).name(), us.get(side).get(P99).get(round)));
    }
    Report.note("%s", line);
  }

  /** Prints the medians of the rounds, and adds them to the report. */
  void print(Report report) {
    Table table =
        new Table("claim, us", "p50", "p99", "p99.9", "p99 to first, least", "median", "greatest");
    List<Map<String, Object>> figures = new ArrayList<>();
    for (int side = 0; side < sides.size(); side++) {
      table.row(
          sides.get(side).name(),
          median(side, 0),
          median(side, P99),
          median(side, 2),
          toFirst(side, P99));
      figures.add(figures(side));
    }
    table.print();
    report.figure("sides", figures);
  }

  private Map<String, Object> figures(int side) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("name", sides.get(side).name());
    for (int i = 0; i < PERCENTILES.length; i++) {
      figures.put(NAMES[i] + "Us", median(side, i));
      figures.put(NAMES[i] + "ToFirst", toFirst(side, i).median());
    }
    return figures;
  }

  private double median(int side, int percentile) {
    return Spread.of(us.get(side).get(percentile), value -> value).median();
  }

  private Spread toFirst(int side, int percentile) {
    return Spread.ofRatios(us.get(side).get(percentile), us.get(0).get(percentile));
  }
}
