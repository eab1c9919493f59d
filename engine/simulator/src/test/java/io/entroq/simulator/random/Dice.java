package io.entroq.simulator.random;

import java.util.SplittableRandom;

/** The random numbers of a hunt. */
final class Dice {
  private final SplittableRandom random;

  Dice(long seed) {
    random = new SplittableRandom(seed);
  }

  /** True with probability 1/times. */
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

  /** A number from the first to the last, inclusive. */
  int between(int first, int last) {
    return random.nextInt(first, last + 1);
  }

  long anyLong() {
    return random.nextLong();
  }

  /** A number from 0 to below the bound; small ones are far more likely. */
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
