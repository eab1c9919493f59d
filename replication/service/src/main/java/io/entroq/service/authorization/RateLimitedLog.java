package io.entroq.service.authorization;

import java.time.Duration;
import java.util.function.LongConsumer;

/** Logs at most once in an interval, since callers could otherwise fill a disk. */
final class RateLimitedLog {
  private final long intervalNs;
  private long saidNs;
  private long hidden;

  RateLimitedLog(Duration interval) {
    intervalNs = interval.toNanos();
    saidNs = System.nanoTime() - intervalNs;
  }

  /**
   * Logs a message, if the interval has passed.
   *
   * @param saying gets the number of messages suppressed since the last one
   */
  void run(LongConsumer saying) {
    long unnamed;
    synchronized (this) {
      long nowNs = System.nanoTime();
      if (nowNs - saidNs < intervalNs) {
        hidden++;
        return;
      }
      saidNs = nowNs;
      unnamed = hidden;
      hidden = 0;
    }
    saying.accept(unnamed);
  }
}
