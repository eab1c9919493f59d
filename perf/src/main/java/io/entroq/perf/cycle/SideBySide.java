package io.entroq.perf.cycle;

import java.util.Arrays;
import java.util.Locale;

/**
 * Two things measured in alternating slices of one run. What the machine gives changes from second
 * to second and moves both; the ratio of neighbouring slices is what can be relied on.
 */
public final class SideBySide {

  private static final int WARM_UP_ROUNDS = 5;

  private final int rounds;

  /** Prepares so many rounds, after a few for warmth. */
  public SideBySide(int rounds) {
    this.rounds = rounds;
  }

  /** One of the two: what it is called, and how often it is done in a slice. */
  public record Side(String name, int times, Runnable once) {

    private double perSecond() {
      long start = System.nanoTime();
      for (int i = 0; i < times; i++) {
        once.run();
      }
      return times * 1e9 / (System.nanoTime() - start);
    }
  }

  /** Prints every round, and last the least and the median of rates and ratio. */
  public void measure(Side subject, Side ceiling) {
    double[] subjectRates = new double[rounds];
    double[] ceilingRates = new double[rounds];
    double[] shares = new double[rounds];
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
      double subjectRate = subject.perSecond();
      double ceilingRate = ceiling.perSecond();
      if (round >= 0) {
        subjectRates[round] = subjectRate;
        ceilingRates[round] = ceilingRate;
        shares[round] = subjectRate / ceilingRate;
        print("round " + round, subject, subjectRate, ceiling, ceilingRate, shares[round]);
      }
    }
    print("minimum", subject, least(subjectRates), ceiling, least(ceilingRates), least(shares));
    print("median", subject, median(subjectRates), ceiling, median(ceilingRates), median(shares));
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

  private static double least(double[] values) {
    return Arrays.stream(values).min().orElseThrow();
  }

  private static double median(double[] values) {
    return Arrays.stream(values).sorted().toArray()[values.length / 2];
  }
}
