package io.entroq.simulator.check;

import io.entroq.simulator.virtual.SeededRandom;
import java.util.Arrays;

/**
 * Checks that random choices are fair: half of the choices in a queue take the oldest task, the
 * others any task with equal probability, and so do choices among queues with work. Runs every
 * {@value #CHOICES_PER_CHECK} choices. {@link Surprise} and {@link UniformChoices} derive how
 * rarely a fair engine fails.
 */
final class Fairness {
  /** Choices between two checks. */
  static final int CHOICES_PER_CHECK = 1_024;

  private final UniformChoices queues = new UniformChoices("queues");
  private final UniformChoices tails = new UniformChoices("places of tasks");
  private final Surprise coins = new Surprise();
  private final Surprise pairs = new Surprise();
  private final Surprise returned = new Surprise();
  private double lastSurprise;
  private int untilCheck = CHOICES_PER_CHECK;

  /** One of several queues with work was chosen. */
  void queueChosen(int index, int count) {
    queues.add(index, count);
    chosen();
  }

  /**
   * One of several available tasks was chosen.
   *
   * @param isOldest whether it was the oldest
   * @param index its index among all but the oldest, if it is not the oldest
   * @param count how many were available, 2 or more
   */
  void taskChosen(boolean isOldest, int index, int count) {
    double expected = 0.5 + 0.5 / count;
    double surprise = (isOldest ? 1 : 0) - expected;
    double variance = expected * (1 - expected);
    coins.add(surprise, variance);
    pairs.add(surprise * lastSurprise, variance * lastSurprise * lastSurprise);
    lastSurprise = surprise;
    if (!isOldest && count > 2) {
      tails.add(index, count - 1);
    }
    chosen();
  }

  /**
   * The same choice again: whether it took a task that had been claimed before.
   *
   * @param again how many such tasks are available, not counting the oldest task
   */
  void returnedChosen(boolean isChosen, int again, int count) {
    returned.add(isChosen, 0.5 * again / count);
  }

  private void chosen() {
    if (--untilCheck == 0) {
      untilCheck = CHOICES_PER_CHECK;
      check();
    }
  }

  /** Throws if the choices are too unlikely to be fair. */
  void check() {
    returned.check(Invariant.POISON_DELAYS_ONCE, "claimed again");
    coins.check(Invariant.FAIR_CHOICE, "heads");
    pairs.check(Invariant.FAIR_CHOICE, "heads after heads");
    queues.check();
    tails.check();
  }

  /**
   * The sum of the differences between outcomes and their expectations, and whether it is
   * plausible.
   *
   * <p>With fair choices, each difference is 0 on average, whatever came before, and between -1 and
   * 1. By Freedman's inequality, while the sum of variances is at most <i>v</i>, the sum of the
   * differences reaches <i>sqrt(2vy) + 2y/3</i> with a probability of at most <i>exp(-y)</i>. The
   * bound uses <i>x</i> = {@value #EXPONENT} and the current variance. While the variance grows by
   * a tenth, <i>y</i> is <i>x</i>/1.1 for the final variance: one false alarm in 10^14. From 0.01
   * to 10^9 the variance grows by a tenth 266 times, and there are two directions. So a sum raises
   * a false alarm in one of 10^11 worlds, however often it is checked.
   */
  private static final class Surprise {
    private static final double EXPONENT = 36;

    private double sum;
    private double variance;

    /**
     * Adds an outcome.
     *
     * @param surprise the outcome minus its expectation, from -1 to 1
     * @param ofVariance the variance of the outcome
     */
    void add(double surprise, double ofVariance) {
      sum += surprise;
      variance += ofVariance;
    }

    /** Adds whether an event with a known probability happened. */
    void add(boolean hasHappened, double probability) {
      add((hasHappened ? 1 : 0) - probability, probability * (1 - probability));
    }

    /** Throws if the sum is implausible. */
    void check(Invariant invariant, String what) {
      double bound = Math.sqrt(2 * EXPONENT * variance) + 2 * EXPONENT / 3;
      if (Math.abs(sum) > bound) {
        throw invariant.broken(what, "within " + bound + " of the expectation", sum);
      }
    }
  }

  /**
   * Whether choices among varying numbers of candidates are uniform.
   *
   * <p>Three sums quickly reveal a preference for one end: of the chosen indexes, of the choices of
   * the first, and of the last. Any other preference takes longer: each choice is mapped to a
   * number from 0 to 1 and counted in one of sixteen cells. Fair choices exceed the bound on their
   * chi-square about once in 10^13 checks.
   */
  private static final class UniformChoices {
    // In standard deviations.
    private static final double DEVIATIONS_MAX = 7.6;

    private static final double COUNT_MIN = 400;
    private static final int CELLS = 16;

    private final String name;
    private final long[] cells = new long[CELLS];
    private final SeededRandom rounding = new SeededRandom(CELLS);
    private final Surprise places = new Surprise();
    private final Surprise firsts = new Surprise();
    private final Surprise lasts = new Surprise();

    UniformChoices(String name) {
      this.name = name;
    }

    /** Adds a choice among 2 or more. */
    void add(int index, int count) {
      places.add(2.0 * index / (count - 1) - 1, (count + 1.0) / (3 * (count - 1)));
      firsts.add(index == 0, 1.0 / count);
      lasts.add(index == count - 1, 1.0 / count);
      // Randomizing within the chosen interval makes a uniform number of a uniform choice.
      double fraction = (rounding.next() >>> 11) * 0x1.0p-53;
      int cell = (int) ((index + fraction) / count * CELLS);
      cells[Math.min(cell, CELLS - 1)]++;
    }

    /** Throws if the choices are too unlikely to be uniform. */
    void check() {
      places.check(Invariant.FAIR_CHOICE, name);
      firsts.check(Invariant.FAIR_CHOICE, name + ", the first");
      lasts.check(Invariant.FAIR_CHOICE, name + ", the last");
      checkCells();
    }

    private void checkCells() {
      long total = 0;
      for (long each : cells) {
        total += each;
      }
      double expected = (double) total / CELLS;
      if (expected < COUNT_MIN) {
        return;
      }
      double chiSquare = 0;
      for (long each : cells) {
        chiSquare += (each - expected) * (each - expected) / expected;
      }
      if (deviations(chiSquare) > DEVIATIONS_MAX) {
        throw Invariant.FAIR_CHOICE.broken(
            name, "about " + expected + " of each", Arrays.toString(cells));
      }
    }

    /** The cube root of chi-square is nearly normal (Wilson and Hilferty). */
    private static double deviations(double chiSquare) {
      double spread = 2.0 / (9 * (CELLS - 1));
      return (StrictMath.cbrt(chiSquare / (CELLS - 1)) - (1 - spread)) / Math.sqrt(spread);
    }
  }
}
