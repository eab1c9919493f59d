package io.entroq.simulator.check;

import io.entroq.simulator.virtual.SeededRandom;
import java.util.Arrays;

/**
 * Whether each of several is chosen as often as any other, of however many the choices are.
 *
 * <p>A preference for one end shows soon, in three sums over all choices: of the places that were
 * chosen, of how often it was the first, and the last. Any other takes longer: of each choice a
 * number from 0 to 1 is made and counted in a cell of sixteen, and their chi-square is bounded such
 * that fair choices exceed it once in about 10^13 looks.
 */
final class UniformChoices {
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
