package io.entroq.simulator.cli;

import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** One run of one world. Used once, by one thread. */
final class SimRun {
  private final WorldConfig config;
  private final WorldRunner worlds;
  private final SimView view;
  private final BooleanSupplier isInterrupted;
  private boolean isStopped;

  /**
   * Prepares a run.
   *
   * @param isInterrupted whether to stop early, with the result so far
   */
  SimRun(WorldConfig config, WorldRunner worlds, SimView view, BooleanSupplier isInterrupted) {
    this.config = config;
    this.worlds = worlds;
    this.view = view;
    this.isInterrupted = isInterrupted;
  }

  /** Runs the world to its end or its first violation, or until it is interrupted. */
  SimResult run() {
    long startNs = System.nanoTime();
    try {
      SimulationReport report =
          worlds.run(
              config,
              soFar -> {
                view.running(soFar);
                isStopped = isInterrupted.getAsBoolean();
                return !isStopped;
              });
      return new SimResult(report, Optional.empty(), System.nanoTime() - startNs, isStopped);
    } finally {
      view.end();
    }
  }

  /**
   * Searches for a smaller world with the same violation.
   *
   * @param result of a run with a violation
   * @return the result with the smallest world found
   */
  SimResult shrink(SimResult result) {
    try {
      return result.withSmallest(
          new Shrinking(worlds, view, isInterrupted).smallest(result.report()));
    } finally {
      view.end();
    }
  }
}
