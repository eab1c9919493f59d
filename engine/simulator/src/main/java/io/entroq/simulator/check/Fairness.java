package io.entroq.simulator.check;

import io.entroq.simulator.virtual.Chance;
import java.util.Arrays;

/**
 * Whether chance is fair: half of the choices in a queue take the oldest task, the others any; and
 * of several queues with work each is as likely.
 *
 * <p>Of each choice with a uniform outcome a number from 0 to 1 is made and counted in a cell of
 * sixteen; of each coin its surprise is summed up. Bounds are such that a fair engine passes them
 * once in about 10^13 looks, of which there is one in {@value #CHOICES_PER_LOOK} choices.
 */
final class Fairness {
  /** How many choices there are from one look to the next. */
  static final int CHOICES_PER_LOOK = 4_096;

  /** In standard deviations. */
  private static final double SURPRISE_MAX = 7.6;

  private static final double VARIANCE_MIN = 150;
  private static final double COUNT_MIN = 400;
  private static final int CELLS = 16;

  private final long[] queues = new long[CELLS];
  private final long[] tails = new long[CELLS];
  private final Chance rounding = new Chance(CELLS);
  private double coinSurprise;
  private double coinVariance;
  private double pairSurprise;
  private double pairVariance;
  private double returnedSurprise;
  private double returnedVariance;
  private double lastSurprise;
  private double lastVariance;
  private int untilLook = CHOICES_PER_LOOK;

  /** One of several queues with work was chosen. */
  void queueChosen(int index, int count) {
    count(queues, index, count);
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
    coinSurprise += surprise;
    coinVariance += variance;
    pairSurprise += surprise * lastSurprise;
    pairVariance += variance * lastVariance;
    lastSurprise = surprise;
    lastVariance = variance;
    if (!isOldest && count > 2) {
      count(tails, index, count - 1);
    }
    chosen();
  }

  /**
   * The same choice once more: whether one of the tasks was chosen that had been claimed before.
   *
   * @param returned how many of those are available, the oldest task apart
   */
  void returnedChosen(boolean isChosen, int returned, int count) {
    double expected = 0.5 * returned / count;
    returnedSurprise += (isChosen ? 1 : 0) - expected;
    returnedVariance += expected * (1 - expected);
  }

  /** A uniform choice of few becomes a uniform number, by chance in between. */
  private void count(long[] into, int index, int count) {
    double fraction = (rounding.next() >>> 11) * 0x1.0p-53;
    int cell = (int) ((index + fraction) / count * CELLS);
    into[Math.min(cell, CELLS - 1)]++;
  }

  private void chosen() {
    if (--untilLook == 0) {
      untilLook = CHOICES_PER_LOOK;
      check();
    }
  }

  /** Throws if chance has been less fair than it can be believed. */
  void check() {
    checkSum(Invariant.POISON_DELAYS_ONCE, "claimed again", returnedSurprise, returnedVariance);
    checkSum(Invariant.FAIR_CHOICE, "heads", coinSurprise, coinVariance);
    checkSum(Invariant.FAIR_CHOICE, "heads after heads", pairSurprise, pairVariance);
    checkUniform("queues", queues);
    checkUniform("places of tasks", tails);
  }

  private static void checkSum(Invariant invariant, String what, double surprise, double variance) {
    double bound = SURPRISE_MAX * Math.sqrt(variance);
    if (variance >= VARIANCE_MIN && Math.abs(surprise) > bound) {
      throw invariant.broken(what, "within " + bound + " of what is to be expected", surprise);
    }
  }

  private static void checkUniform(String what, long[] cells) {
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
    if (surprise(chiSquare) > SURPRISE_MAX) {
      throw Invariant.FAIR_CHOICE.broken(
          what, "about " + expected + " of each", Arrays.toString(cells));
    }
  }

  /** The cube root of chi-square is nearly normal (Wilson and Hilferty). */
  private static double surprise(double chiSquare) {
    double spread = 2.0 / (9 * (CELLS - 1));
    return (StrictMath.cbrt(chiSquare / (CELLS - 1)) - (1 - spread)) / Math.sqrt(spread);
  }
}
