package io.entroq.simulator.world;

/** Learns how far a world has come, on the thread that runs it. */
@FunctionalInterface
public interface ProgressListener {
  /** For those who do not want to know. */
  ProgressListener NONE = sofar -> true;

  /**
   * Called every ten thousand steps.
   *
   * @param sofar of a world that is not over yet
   * @return whether it is to go on; if not, it ends here, and its report is of what was done so far
   */
  boolean onProgress(SimulationReport sofar);
}
