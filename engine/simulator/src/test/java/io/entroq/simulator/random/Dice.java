package io.entroq.simulator.random;

import java.util.SplittableRandom;

/** Where a hunt takes its chances from. */
final class Dice {
  private final SplittableRandom random;

  Dice(long seed) {
    random = new SplittableRandom(seed);
  }

  /** True once in so many. */
  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  boolean percent(int percent) {
    return random.nextInt(100) < percent;
  }

  /** From 0 to below the bound. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  /** From the first to the last, both included. */
  int between(int first, int last) {
    return random.nextInt(first, last + 1);
  }

  long anyLong() {
    return random.nextLong();
  }

  /** From 0 to below the bound, small numbers far more often than large ones. */
  int skewedBelow(int bound) {
    double fraction = random.nextDouble();
    return (int) (fraction * fraction * bound);
  }

  long oneOf(long... choices) {
    return choices[random.nextInt(choices.length)];
  }

  int oneIntOf(int... choices) {
    return choices[random.nextInt(choices.length)];
  }

  byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
