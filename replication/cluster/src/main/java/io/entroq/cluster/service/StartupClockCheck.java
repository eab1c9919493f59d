package io.entroq.cluster.service;

import io.entroq.engine.log.LogException;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Refuses to start a member whose wall clock is far behind the log, because log time would stand
 * still until the clock catches up. Not checked any more once the member serves.
 */
public final class StartupClockCheck {
  /** The same as for an engine. */
  private static final long BEHIND_MS_MAX = 60_000;

  private final LongSupplier wallMs;
  private boolean isOver;

  /**
   * @param wallMs the wall clock, in milliseconds since the epoch; called on any thread
   * @param isAccepted whether to skip the check
   */
  public StartupClockCheck(LongSupplier wallMs, boolean isAccepted) {
    this.wallMs = wallMs;
    isOver = isAccepted;
  }

  /**
   * Checks the clock. One thread at a time.
   *
   * @param logTimeMs of the newest known record; 0 if there is none
   * @throws LogException if the wall clock is too far behind
   */
  public void check(long logTimeMs) {
    if (isOver) {
      return;
    }
    long nowMs = wallMs.getAsLong();
    if (logTimeMs - nowMs > BEHIND_MS_MAX) {
      throw LogException.error(
          ("The wall clock says %s, %,d s behind the cluster's log (%s). Correct the clock; or accept"
                  + " it (acceptClock), and log time stands still until the clock catches up.")
              .formatted(
                  Instant.ofEpochMilli(nowMs),
                  (logTimeMs - nowMs) / 1000,
                  Instant.ofEpochMilli(logTimeMs)));
    }
  }

  /** Ends the check: the member serves. Applying thread. */
  void end() {
    isOver = true;
  }
}
