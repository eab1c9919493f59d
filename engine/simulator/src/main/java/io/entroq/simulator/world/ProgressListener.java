package io.entroq.simulator.world;

/** Observes the progress of a world, on the thread that runs it. */
@FunctionalInterface
public interface ProgressListener {
  ProgressListener NONE = soFar -> true;

  /**
   * Called every ten thousand steps.
   *
   * @param soFar the report until now
   * @return whether to continue; if not, the world ends with the report until now
   */
  boolean onProgress(SimulationReport soFar);
}
