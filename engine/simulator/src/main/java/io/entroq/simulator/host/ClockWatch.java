package io.entroq.simulator.host;

import io.entroq.simulator.check.Invariant;
import java.util.Locale;

/**
 * Checks that an engine's log time runs at 90 to 110 % of real time, whatever the wall clock does,
 * and never moves away from the wall clock. One thread, one life of an engine.
 */
final class ClockWatch {
  private static final long NS_PER_MS = 1_000_000;

  /** Both clocks are read in whole milliseconds. */
  private static final long ROUNDED_NS = 2 * NS_PER_MS;

  private final HostClock clock;
  private long checks;
  private long checkedNs;
  private long logMs;

  /** For how many checks the wall clock has been ahead of log time; negative: behind. */
  private int aheadChecks;

  /** Changes of the wall clock at the last check. */
  private long changes;

  ClockWatch(HostClock clock) {
    this.clock = clock;
  }

  /** Checks the current log time. */
  void check(long nowLogMs) {
    long nowNs = clock.nanoTime();
    long passedNs = nowNs - checkedNs;
    long loggedNs = (nowLogMs - logMs) * NS_PER_MS;
    noteAhead(clock.wallMs() - nowLogMs);
    if (checks++ > 0) {
      requireBetween(
          aheadChecks > 2 ? passedNs : passedNs - passedNs / 10,
          loggedNs,
          aheadChecks < -2 ? passedNs : passedNs + passedNs / 10);
    }
    checkedNs = nowNs;
    logMs = nowLogMs;
  }

  private void noteAhead(long aheadMs) {
    // A few milliseconds count as equal.
    int side = Math.abs(aheadMs) < 5 ? 0 : Long.signum(aheadMs);
    // Between two checks, it may have been on the other side.
    boolean isSteady = clock.changes() == changes;
    changes = clock.changes();
    aheadChecks = isSteady && side == Integer.signum(aheadChecks) ? aheadChecks + side : side;
  }

  private void requireBetween(long leastNs, long actualNs, long mostNs) {
    Invariant.LOG_TIME_RUNS.require(
        actualNs >= leastNs - ROUNDED_NS && actualNs <= mostNs + ROUNDED_NS,
        "log time",
        String.format(Locale.ROOT, "%d to %d ns more than at the last check", leastNs, mostNs),
        actualNs);
  }
}
