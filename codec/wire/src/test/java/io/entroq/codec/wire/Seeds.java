package io.entroq.codec.wire;

import java.util.Random;

/** Randomness of a test run: printed, and replayed by {@code -Dtest.seed=...}. */
final class Seeds {
  private Seeds() {}

  static Random random(String test) {
    String given = System.getProperty("test.seed");
    long seed = given == null ? System.nanoTime() : Long.parseLong(given);
    System.out.println(test + ": -Dtest.seed=" + seed);
    return new Random(seed);
  }
}
