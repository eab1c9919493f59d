package io.entroq.simulator.call;

/** How long clients wait for an answer before they repeat a request: twice as long each time. */
public final class Resends {
  /** How many different times there are; the last one stays. */
  public static final int LENGTHS = 4;

  private static final long FIRST_NS = 1_000_000_000L;

  private Resends() {}

  /**
   * How long to wait for an answer, in nanoseconds.
   *
   * @param sends how often it was sent, at least 1
   */
  public static long waitNs(int sends) {
    return FIRST_NS << (Math.min(sends, LENGTHS) - 1);
  }
}
