package io.entroq.simulator.world;

/** Runs worlds; several may run side by side, each on a thread of its own. */
public final class Simulation {
  private Simulation() {}

  /**
   * Runs a world to its end, or to the first thing that is wrong. Its engines log what they meet,
   * but {@linkplain QuietEngines where they must not}.
   *
   * @param listener hears how far it has come, on this thread
   */
  public static SimulationReport run(WorldConfig config, ProgressListener listener) {
    return new World(config).run(listener);
  }
}
