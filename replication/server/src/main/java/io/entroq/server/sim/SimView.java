package io.entroq.server.sim;

import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;

/** Whoever watches a hunt. Called on the thread that runs it, many times a second. */
public interface SimView {
  /** Nobody. */
  SimView NONE = new SimView() {};

  /** The world has come so far. */
  default void running(SimulationReport soFar) {}

  /**
   * A smaller world with the same violation is looked for.
   *
   * @param worlds how many have been tried
   * @param smallest the smallest so far
   */
  default void shrinking(int worlds, WorldConfig smallest) {}

  /** Nothing follows. */
  default void end() {}
}
