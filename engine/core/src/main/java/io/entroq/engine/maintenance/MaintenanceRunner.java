package io.entroq.engine.maintenance;

/**
 * Who writes snapshots and deletes what they make superfluous: a thread beside the commands, or,
 * where one thread does everything, whoever steps.
 */
public sealed interface MaintenanceRunner permits SteppedMaintenance, ThreadedMaintenance {
  /** A thread for each engine. */
  MaintenanceRunner THREAD = new ThreadedMaintenance();

  /**
   * Begins to do what is handed to a desk.
   *
   * @return ends that: when it is closed nothing is being done any more
   */
  AutoCloseable run(MaintenanceWorker desk);

  /** Whether it goes on while a command waits for it. */
  boolean isBesideCommands();
}
