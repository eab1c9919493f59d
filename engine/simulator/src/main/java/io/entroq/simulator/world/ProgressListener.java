package io.entroq.simulator.world;

/** Hears how far a world has come, on the thread that runs it. */
@FunctionalInterface
public interface ProgressListener {
  /** For those who do not want to know. */
  ProgressListener NONE = sofar -> {};

  /** Called every ten thousand steps; the report is of a world that goes on. */
  void onProgress(SimulationReport sofar);
}
