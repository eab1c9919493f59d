package io.entroq.server.sim;

import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;

/** Receives the progress of a hunt, on its thread, many times a second. */
public interface SimView {
  /** Ignores it. */
  SimView NONE = new SimView() {};

  /** The world has made progress. */
  default void running(SimulationReport soFar) {}

  /**
   * A smaller world with the same violation is being searched.
   *
   * @param worlds number of worlds tried
   * @param smallest the smallest so far
   */
  default void shrinking(int worlds, WorldConfig smallest) {}

  /** The hunt is over. */
  default void end() {}
}
