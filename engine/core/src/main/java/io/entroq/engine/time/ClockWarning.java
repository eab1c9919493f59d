package io.entroq.engine.time;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Logs that log time deviates from the wall clock, or has skipped time. Any thread. */
public final class ClockWarning implements ClockListener {
  private static final Logger LOGGER = System.getLogger(ClockWarning.class.getName());

  @Override
  public void onDeviation(long aheadMs) {
    String advice =
        aheadMs < 0
            ? ""
            : "; if the wall clock is right, restart this process: log time then begins at the wall"
                + " clock";
    LOGGER.log(
        Level.WARNING,
        "the wall clock is {0} ms {1} log time, which follows it by at most a tenth of the time"
            + " that passes; leases and arrival times go by log time{2}",
        Math.abs(aheadMs),
        aheadMs < 0 ? "behind" : "ahead of",
        advice);
  }

  @Override
  public void onSuspension(long skippedMs) {
    LOGGER.log(
        Level.WARNING,
        "the machine was suspended for {0} ms; log time has skipped them, so leases that ended"
            + " meanwhile are over",
        skippedMs);
  }
}
