package io.entroq.engine.maintenance;

/**
 * Decides which thread writes snapshots and removes obsolete files: a separate one, or, in
 * simulated worlds, the one that steps.
 */
public sealed interface MaintenanceRunner permits SteppedMaintenance, ThreadedMaintenance {
  /** A thread for each engine. */
  MaintenanceRunner THREAD = new ThreadedMaintenance();

  /**
   * Starts to run a worker's tasks.
   *
   * @return stops it when closed; nothing is in progress afterwards
   */
  AutoCloseable run(MaintenanceWorker worker);

  /** Whether it makes progress while a command waits for it. */
  boolean isBesideCommands();
}
