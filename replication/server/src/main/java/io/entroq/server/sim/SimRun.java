package io.entroq.server.sim;

import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** One hunt in one world. To be run once, on one thread. */
public final class SimRun {
  private final WorldConfig config;
  private final Worlds worlds;
  private final SimView view;
  private final BooleanSupplier isInterrupted;
  private boolean isStopped;

  /**
   * Prepares a hunt.
   *
   * @param isInterrupted whether to end before the time, with the result so far
   */
  public SimRun(WorldConfig config, Worlds worlds, SimView view, BooleanSupplier isInterrupted) {
    this.config = config;
    this.worlds = worlds;
    this.view = view;
    this.isInterrupted = isInterrupted;
  }

  /** Runs the world to its end, or to the first violation. */
  public SimResult run() {
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
   * Looks for a smaller world in which the same is violated.
   *
   * @param result of a world in which something is
   * @return the same, with the smallest world that was found
   */
  public SimResult shrink(SimResult result) {
    try {
      return result.withSmallest(
          new Shrinking(worlds, view, isInterrupted).smallest(result.report()));
    } finally {
      view.end();
    }
  }
}
