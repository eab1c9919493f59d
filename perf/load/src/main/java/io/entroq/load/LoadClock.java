package io.entroq.load;

/** A clock, and waiting for a time. Any thread. */
interface LoadClock {
  /** Like {@link System#nanoTime}: only differences are meaningful. */
  long nanoTime();

  /**
   * Waits until a time, or until the schedule is over, and never less.
   *
   * @return the time
   */
  long awaitTime(long timeNs, RunSchedule schedule);
}
