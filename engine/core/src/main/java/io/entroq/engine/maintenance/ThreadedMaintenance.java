package io.entroq.engine.maintenance;

/** Runs each worker on its own thread. */
final class ThreadedMaintenance implements MaintenanceRunner {
  @Override
  public AutoCloseable run(MaintenanceWorker worker) {
    return new MaintenanceThread(worker).start();
  }

  @Override
  public boolean isBesideCommands() {
    return true;
  }
}
