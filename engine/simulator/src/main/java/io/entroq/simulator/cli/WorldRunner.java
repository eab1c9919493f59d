package io.entroq.simulator.cli;

import io.entroq.simulator.world.ProgressListener;
import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;

/** Runs worlds: real ones, or those that tests make up. */
@FunctionalInterface
interface WorldRunner {
  /** Runs a world to its end, to its first violation, or until the listener stops it. */
  SimulationReport run(WorldConfig config, ProgressListener listener);
}
