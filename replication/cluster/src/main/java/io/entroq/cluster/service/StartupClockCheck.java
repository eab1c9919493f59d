package io.entroq.cluster.service;

import io.entroq.engine.log.LogException;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Whether the wall clock is right, while a member begins: one that is far behind the log would let
 * the log's time stand still until it has caught up. Once the member serves nobody looks any more:
 * log time does not go back, whatever clocks do.
 */
public final class StartupClockCheck {
  /** As of an engine that opens a directory. */
  private static final long BEHIND_MS_MAX = 60_000;

  private final LongSupplier wallMs;
  private boolean isOver;

  /**
   * @param wallMs milliseconds since the epoch; any thread
   * @param isAccepted whether the clock is taken as it is
   */
  public StartupClockCheck(LongSupplier wallMs, boolean isAccepted) {
    this.wallMs = wallMs;
    isOver = isAccepted;
  }

  /**
   * Looks at it. One thread at a time.
   *
   * @param logTimeMs of the newest record that is known; 0: none is
   * @throws LogException if the wall clock is too far behind
   */
  public void check(long logTimeMs) {
    if (isOver) {
      return;
    }
    long nowMs = wallMs.getAsLong();
    if (logTimeMs - nowMs > BEHIND_MS_MAX) {
      throw LogException.error(
          ("The wall clock says %s, which is %,d s behind the log of the cluster (%s). Set the clock"
                  + " right; or accept it (acceptClock), and log time will stand ahead of the wall"
                  + " clock until that catches up.")
              .formatted(
                  Instant.ofEpochMilli(nowMs),
                  (logTimeMs - nowMs) / 1000,
                  Instant.ofEpochMilli(logTimeMs)));
    }
  }

  /** The member serves. Applying thread. */
  void end() {
    isOver = true;
  }
}
