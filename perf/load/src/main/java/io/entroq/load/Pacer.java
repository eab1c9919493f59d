package io.entroq.load;

/** Decides when cycles begin. Any thread. */
interface Pacer {
  long ENDED = Long.MIN_VALUE;

  /**
   * Waits for the next cycle.
   *
   * @return when it was due, perhaps in the past; {@link #ENDED} if the run is over
   */
  long next();

  /** Whether cycles are due independently of callers, and may begin late. */
  boolean isOpen();

  /** Cycles that are due and have not begun. */
  long overdue(long nowNs);
}
