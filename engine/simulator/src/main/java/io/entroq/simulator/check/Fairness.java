package io.entroq.simulator.check;

import io.entroq.simulator.virtual.SeededRandom;
import java.util.Arrays;

/**
 * Whether chance is fair: half of the choices in a queue take the oldest task, the others any; and
 * of several queues with work each is as likely. Looked at once in {@value #CHOICES_PER_LOOK}
 * choices. How seldom a fair engine fails is said where it is looked at: {@link Surprise}, {@link
 * UniformChoices}.
 */
final class Fairness {
  /** How many choices there are from one look to the next. */
  static final int CHOICES_PER_LOOK = 1_024;

  private final UniformChoices queues = new UniformChoices("queues");
  private final UniformChoices tails = new UniformChoices("places of tasks");
  private final Surprise coins = new Surprise();
  private final Surprise pairs = new Surprise();
  private final Surprise returned = new Surprise();
  private double lastSurprise;
  private int untilLook = CHOICES_PER_LOOK;

  /** One of several queues with work was chosen. */
  void queueChosen(int index, int count) {
    queues.add(index, count);
    chosen();
  }

  /**
   * One of several available tasks was chosen.
   *
   * @param isOldest whether it was the oldest
   * @param index its place among all but the oldest, if it is another
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
   * The same choice once more: whether one of the tasks was chosen that had been claimed before.
   *
   * @param again how many of those are available, the oldest task apart
   */
  void returnedChosen(boolean isChosen, int again, int count) {
    returned.add(isChosen, 0.5 * again / count);
  }

  private void chosen() {
    if (--untilLook == 0) {
      untilLook = CHOICES_PER_LOOK;
      check();
    }
  }

  /** Throws if chance has been less fair than it can be believed. */
  void check() {
    returned.check(Invariant.POISON_DELAYS_ONCE, "claimed again");
    coins.check(Invariant.FAIR_CHOICE, "heads");
    pairs.check(Invariant.FAIR_CHOICE, "heads after heads");
    queues.check();
    tails.check();
  }

  /**
   * By how much outcomes have differed from what was to be expected, summed up; and whether that
   * can be believed.
   *
   * <p>If chance is fair, each surprise is 0 on average whatever came before it, and lies between
   * -1 and 1. By Freedman's inequality a sum of such, while their variances together are at most
   * <i>v</i>, ever comes to <i>sqrt(2vy) + 2y/3</i> with a probability of at most <i>exp(-y)</i>.
   * The bound here is that of <i>x</i> = {@value #EXPONENT} for the variance of now. While this
   * grows by a tenth, <i>y</i> is <i>x</i>/1.1 for the variance at the end, which makes one false
   * alarm in 10^14. From 0.01 to 10^9 the variance grows 266 times by a tenth, and there are two
   * directions: a sum alarms falsely in one of 10^11 worlds, however often it is looked at.
   */
  private static final class Surprise {
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

  /**
   * Whether each of several is chosen as often as any other, of however many the choices are.
   *
   * <p>A preference for one end shows soon, in three sums over all choices: of the places that were
   * chosen, of how often it was the first, and the last. Any other takes longer: of each choice a
   * number from 0 to 1 is made and counted in a cell of sixteen, and their chi-square is bounded
   * such that fair choices exceed it once in about 10^13 looks.
   */
  private static final class UniformChoices {
    /** In standard deviations. */
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

    /** One of 2 or more was chosen. */
    void add(int index, int count) {
      places.add(2.0 * index / (count - 1) - 1, (count + 1.0) / (3 * (count - 1)));
      firsts.add(index == 0, 1.0 / count);
      lasts.add(index == count - 1, 1.0 / count);
      // A uniform choice of few becomes a uniform number, by chance in between.
      double fraction = (rounding.next() >>> 11) * 0x1.0p-53;
      int cell = (int) ((index + fraction) / count * CELLS);
      cells[Math.min(cell, CELLS - 1)]++;
    }

    /** Throws if they have been less fair than it can be believed. */
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
