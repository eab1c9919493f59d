package io.entroq.engine.memory;

/**
 * Checks that are always on. A broken invariant is a programming error and stops the state machine:
 * a stopped machine can be recovered, a diverged one cannot.
 *
 * <p>Keep the checks of the hot path to one comparison. They count toward the compiler's inlining
 * budget, so what can only break with growth belongs where a structure grows.
 */
public final class Invariant {

  private Invariant() {}

  /**
   * Requires a condition.
   *
   * @param what the invariant, a constant
   * @param first a number that helps to find the cause
   * @param second another one
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
