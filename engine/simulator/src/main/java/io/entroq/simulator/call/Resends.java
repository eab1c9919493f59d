package io.entroq.simulator.call;

/** How long clients wait before they repeat a request: twice as long each time. */
public final class Resends {
  /** How many different waits there are; the last one is repeated. */
  public static final int LENGTHS = 4;

  private static final long FIRST_NS = 1_000_000_000L;

  private Resends() {}

  /**
   * The wait in nanoseconds.
   *
   * @param sends how often the request was sent, at least 1
   */
  public static long waitNs(int sends) {
    return FIRST_NS << (Math.min(sends, LENGTHS) - 1);
  }
}
