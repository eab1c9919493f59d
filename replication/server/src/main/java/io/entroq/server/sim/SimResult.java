package io.entroq.server.sim;

import io.entroq.simulator.world.SimulationReport;
import java.util.Optional;

/**
 * What came of a hunt. Immutable.
 *
 * @param report of the world that was asked for, up to its end, to the first violation in it, or to
 *     where it was interrupted
 * @param smallest of the smallest world with the same violation; empty if there was none, or if
 *     nobody looked for it
 * @param elapsedNs how long the world that was asked for took
 * @param isInterrupted whether somebody ended it before its time
 */
public record SimResult(
    SimulationReport report,
    Optional<SimulationReport> smallest,
    long elapsedNs,
    boolean isInterrupted) {
  private static final double NS_PER_HOUR = 3.6e12;

  /** Whether an invariant was violated. */
  public boolean isWrong() {
    return report.failure().isPresent();
  }

  SimResult withSmallest(SimulationReport world) {
    return new SimResult(report, Optional.of(world), elapsedNs, isInterrupted);
  }

  /** How many times as fast as on a clock time went by in the world. */
  double speed() {
    return speed(report, elapsedNs);
  }

  static double speed(SimulationReport report, long elapsedNs) {
    return elapsedNs == 0 ? 0 : report.hours() * NS_PER_HOUR / elapsedNs;
  }

  /** The world to look at: the smallest that is known. */
  SimulationReport simplest() {
    return smallest.orElse(report);
  }
}
