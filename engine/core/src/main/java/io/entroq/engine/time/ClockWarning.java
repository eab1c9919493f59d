package io.entroq.engine.time;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Logs that log time deviates from the wall clock. Any thread. */
public final class ClockWarning {
  private static final Logger LOGGER = System.getLogger(ClockWarning.class.getName());

  private ClockWarning() {}

  /**
   * Logs the difference.
   *
   * @param aheadMs how far the wall clock is ahead, in milliseconds; negative if it is behind
   */
  public static void log(long aheadMs) {
    LOGGER.log(
        Level.WARNING,
        "the wall clock is {0} ms {1} log time, which follows it by at most a tenth of the time"
            + " that passes; leases and arrival times go by log time",
        Math.abs(aheadMs),
        aheadMs < 0 ? "behind" : "ahead of");
  }
}
