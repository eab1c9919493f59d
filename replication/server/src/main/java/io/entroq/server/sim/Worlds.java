package io.entroq.server.sim;

import io.entroq.simulator.world.ProgressListener;
import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;

/** What runs worlds. */
@FunctionalInterface
public interface Worlds {
  /** Runs one to its end, to the first violation in it, or until its listener has enough. */
  SimulationReport run(WorldConfig config, ProgressListener listener);
}
