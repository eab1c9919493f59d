package io.entroq.service.limit;

import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Logs at most once per interval, so that callers cannot fill the disk. Any thread. */
public final class RateLimitedLog {
  private final long intervalNs;
  private final LongSupplier clockNs;
  private long loggedNs;
  private long suppressed;

  public RateLimitedLog(Duration interval) {
    this(interval, System::nanoTime);
  }

  /**
   * @param clockNs a monotonic clock
   */
  public RateLimitedLog(Duration interval, LongSupplier clockNs) {
    intervalNs = interval.toNanos();
    this.clockNs = clockNs;
    loggedNs = clockNs.getAsLong() - intervalNs;
  }

  /**
   * Logs a message if the interval has passed.
   *
   * @param log gets the number of messages suppressed since the last one
   */
  public void run(LongConsumer log) {
    long before;
    synchronized (this) {
      long nowNs = clockNs.getAsLong();
      if (nowNs - loggedNs < intervalNs) {
        suppressed++;
        return;
      }
      loggedNs = nowNs;
      before = suppressed;
      suppressed = 0;
    }
    log.accept(before);
  }
}
