package io.entroq.engine.maintenance;

/** Gives each desk a thread of its own. */
final class ThreadedMaintenance implements MaintenanceRunner {
  @Override
  public AutoCloseable run(MaintenanceWorker desk) {
    return new MaintenanceThread(desk).start();
  }

  @Override
  public boolean isBesideCommands() {
    return true;
  }
}
