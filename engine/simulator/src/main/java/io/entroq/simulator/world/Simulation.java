package io.entroq.simulator.world;

/** Runs worlds. Several may run side by side, each on its own thread. */
public final class Simulation {
  private Simulation() {}

  /**
   * Runs a world to its end or to its first violation. Its engines log as usual; {@link
   * QuietEngines} silences them.
   *
   * @param listener observes the progress, on this thread
   */
  public static SimulationReport run(WorldConfig config, ProgressListener listener) {
    return new World(config).run(listener);
  }
}
