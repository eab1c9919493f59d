package io.entroq.server.bench;

/** What time it is, and waiting for a time. Any thread. */
interface BenchClock {
  /** As {@link System#nanoTime}: only differences mean something. */
  long nanoTime();

  /**
   * Waits until a time has come, or the course is over. It does not return earlier.
   *
   * @return what time it is
   */
  long awaitTime(long timeNs, Course course);
}
