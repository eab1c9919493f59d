package io.entroq.engine.memory;

/**
 * Checks that are always on. A broken invariant is a programming error: whoever runs the state
 * machine stops it, for a stopped machine can be recovered and a diverged one cannot.
 */
public final class Invariant {

  private Invariant() {}

  /**
   * Requires a condition.
   *
   * @param condition what must hold
   * @param what the invariant, as a constant text
   * @param first a number that helps to find the cause
   * @param second another
   * @throws InvariantBrokenException if it does not hold
   */
  public static void check(boolean condition, String what, long first, long second) {
    if (!condition) {
      throw broken(what, first, second);
    }
  }

  private static InvariantBrokenException broken(String what, long first, long second) {
    return new InvariantBrokenException(
        "broken invariant: " + what + " (" + first + ", " + second + ")");
  }
}
