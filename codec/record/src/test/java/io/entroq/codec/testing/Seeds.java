package io.entroq.codec.testing;

import java.util.Random;

/** Randomness of a test run: printed, and replayed by {@code -Dtest.seed=...}. */
public final class Seeds {
  private Seeds() {}

  /** A generator whose seed is printed under the name of the test. */
  public static Random random(String test) {
    String given = System.getProperty("test.seed");
    long seed = given == null ? System.nanoTime() : Long.parseLong(given);
    System.out.println(test + ": -Dtest.seed=" + seed);
    return new Random(seed);
  }
}
