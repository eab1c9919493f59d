package io.entroq.simulator.cli;

import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;

/** Receives the progress of a run, on its thread, many times a second. */
interface SimView {
  /** Ignores all progress. */
  SimView NONE = new SimView() {};

  /** The world has made progress. */
  default void running(SimulationReport soFar) {}

  /**
   * The search for a smaller world with the same violation has made progress.
   *
   * @param worlds number of worlds tried
   * @param smallest the smallest so far
   */
  default void shrinking(int worlds, WorldConfig smallest) {}

  /** The run is over. */
  default void end() {}
}
