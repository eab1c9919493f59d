package io.entroq.load;

/** What time it is, and waiting for a time. Any thread. */
interface LoadClock {
  /** As {@link System#nanoTime}: only differences mean something. */
  long nanoTime();

  /**
   * Waits until a time has come, or the schedule is over. It does not return earlier.
   *
   * @return what time it is
   */
  long awaitTime(long timeNs, RunSchedule schedule);
}
