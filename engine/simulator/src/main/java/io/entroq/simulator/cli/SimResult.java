package io.entroq.simulator.cli;

import io.entroq.simulator.world.SimulationReport;
import java.util.Optional;

/**
 * The result of a run. Immutable.
 *
 * @param report of the requested world, up to its end, its first violation or the interruption
 * @param smallest report of the smallest world with the same violation; empty if there was no
 *     violation or no search
 * @param elapsedNs how long the requested world took
 * @param isInterrupted whether the user interrupted the run
 */
record SimResult(
    SimulationReport report,
    Optional<SimulationReport> smallest,
    long elapsedNs,
    boolean isInterrupted) {
  private static final double NS_PER_HOUR = 3.6e12;

  /** Whether an invariant was violated. */
  boolean isWrong() {
    return report.failure().isPresent();
  }

  SimResult withSmallest(SimulationReport world) {
    return new SimResult(report, Optional.of(world), elapsedNs, isInterrupted);
  }

  /** Virtual time divided by real time. */
  double speed() {
    return speed(report, elapsedNs);
  }

  static double speed(SimulationReport report, long elapsedNs) {
    return elapsedNs == 0 ? 0 : report.hours() * NS_PER_HOUR / elapsedNs;
  }

  /** The smallest known world, which is the easiest to debug. */
  SimulationReport simplest() {
    return smallest.orElse(report);
  }
}
