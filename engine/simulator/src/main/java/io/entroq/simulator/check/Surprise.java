package io.entroq.simulator.check;

/**
 * By how much outcomes have differed from what was to be expected, summed up; and whether that can
 * be believed.
 *
 * <p>If chance is fair, each surprise is 0 on average whatever came before it, and lies between -1
 * and 1. By Freedman's inequality a sum of such, while their variances together are at most
 * <i>v</i>, ever comes to <i>sqrt(2vy) + 2y/3</i> with a probability of at most <i>exp(-y)</i>. The
 * bound here is that of <i>x</i> = {@value #EXPONENT} for the variance of now. While this grows by
 * a tenth, <i>y</i> is <i>x</i>/1.1 for the variance at the end, which makes one false alarm in
 * 10^14. From 0.01 to 10^9 the variance grows 266 times by a tenth, and there are two directions: a
 * sum alarms falsely in one of 10^11 worlds, however often it is looked at.
 */
final class Surprise {
  private static final double EXPONENT = 36;

  private double sum;
  private double variance;

  /**
   * Adds an outcome.
   *
   * @param surprise what it is more than its expectation, from -1 to 1
   * @param ofVariance the variance of such outcomes
   */
  void add(double surprise, double ofVariance) {
    sum += surprise;
    variance += ofVariance;
  }

  /** Adds whether something has happened that does so with a probability. */
  void add(boolean hasHappened, double probability) {
    add((hasHappened ? 1 : 0) - probability, probability * (1 - probability));
  }

  /** Throws if it is more than can be believed. */
  void check(Invariant invariant, String what) {
    double bound = Math.sqrt(2 * EXPONENT * variance) + 2 * EXPONENT / 3;
    if (Math.abs(sum) > bound) {
      throw invariant.broken(what, "within " + bound + " of what is to be expected", sum);
    }
  }
}
