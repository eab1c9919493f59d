package io.entroq.simulator.world;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs worlds; several may run side by side, each on a thread of its own. */
public final class Simulation {
  /**
   * What engines have to say of the trouble that they are made would fill a disk. Kept, as loggers
   * that nobody keeps forget what they were told.
   */
  private static final Logger ENGINES = Logger.getLogger("io.entroq.engine");

  private Simulation() {}

  /**
   * Runs a world to its end, or to the first thing that is wrong. Engines log nothing from then on.
   *
   * @param listener hears how far it has come, on this thread
   */
  public static SimulationReport run(WorldConfig config, ProgressListener listener) {
    ENGINES.setLevel(Level.OFF);
    return new World(config).run(listener);
  }
}
