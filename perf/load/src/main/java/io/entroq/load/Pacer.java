package io.entroq.load;

/** Says when the next cycle begins. Any thread. */
interface Pacer {
  /** There is no next cycle. */
  long ENDED = Long.MIN_VALUE;

  /**
   * Waits until the next cycle is to begin.
   *
   * @return when it was due, which may be a while ago; {@link #ENDED} if the run is over
   */
  long next();

  /** Whether cycles are due at times of their own, so that one may begin late. */
  boolean isOpen();

  /** How many cycles are due that nobody has begun. */
  long overdue(long nowNs);
}
