package io.entroq.perf.cycle;

import io.entroq.perf.report.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures two sides in alternating slices of one run. The speed of the machine changes from second
 * to second for both, so only the ratio of neighboring slices is reliable.
 */
public final class SideBySide {
  private static final int WARM_UP_ROUNDS = 5;

  private final int rounds;

  public SideBySide(int rounds) {
    this.rounds = rounds;
  }

  /** One of the two: its name, and how often it runs in a slice. */
  public record Side(String name, int times, Runnable once) {
    private double perSecond() {
      long start = System.nanoTime();
      for (int i = 0; i < times; i++) {
        once.run();
      }
      return times * 1e9 / (System.nanoTime() - start);
    }
  }

  /**
   * Prints every round, and last the least and the median of rates and ratio.
   *
   * @return the ratio
   */
  public Spread measure(Side subject, Side ceiling) {
    List<Double> rates = new ArrayList<>();
    List<Double> ceilings = new ArrayList<>();
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
      double rate = subject.perSecond();
      double ceilingRate = ceiling.perSecond();
      if (round >= 0) {
        rates.add(rate);
        ceilings.add(ceilingRate);
        print("round " + round, subject, rate, ceiling, ceilingRate, rate / ceilingRate);
      }
    }
    Spread all = Spread.of(rates, rate -> rate);
    Spread ofCeiling = Spread.of(ceilings, rate -> rate);
    Spread share = Spread.ofRatios(rates, ceilings);
    print("minimum", subject, all.least(), ceiling, ofCeiling.least(), share.least());
    print("median", subject, all.median(), ceiling, ofCeiling.median(), share.median());
    return share;
  }

  private static void print(
      String what,
      Side subject,
      double subjectRate,
      Side ceiling,
      double ceilingRate,
      double share) {
    System.out.printf(
        Locale.ROOT,
        "%-10s %s %,11.0f/s   %s %,11.0f/s   share %.2f%n",
        what,
        subject.name(),
        subjectRate,
        ceiling.name(),
        ceilingRate,
        share);
  }
}
