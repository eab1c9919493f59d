package io.entroq.server.sim;

import io.entroq.simulator.world.ProgressListener;
import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;

@FunctionalInterface
public interface Worlds {
  /** Runs a world to its end, to its first violation, or until the listener stops it. */
  SimulationReport run(WorldConfig config, ProgressListener listener);
}
