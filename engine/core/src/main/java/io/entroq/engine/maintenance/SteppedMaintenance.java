package io.entroq.engine.maintenance;

/**
 * Runs maintenance step by step on the thread that executes the commands, for simulated worlds with
 * one thread and simulated time.
 *
 * <p>Serves one engine at a time; reusable after that is closed. Commands between two steps run
 * while a snapshot is being written.
 */
public final class SteppedMaintenance implements MaintenanceRunner {
  private MaintenanceWorker worker;

  /**
   * Does what the thread would do next: writes the submitted snapshot and removes obsolete files,
   * or checks the interval. Does nothing without an engine.
   *
   * <p>Exceptions that simulate a crash propagate, unless they are taken for disk errors, which the
   * engine survives.
   */
  public void step() {
    if (worker != null) {
      worker.step(worker.take());
    }
  }

  /** Whether a submitted snapshot is not written yet. */
  public boolean hasSnapshot() {
    return worker != null && !worker.isIdle();
  }

  @Override
  public AutoCloseable run(MaintenanceWorker next) {
    if (worker != null) {
      throw new IllegalStateException("in use by another engine that is not closed");
    }
    worker = next;
    return this::end;
  }

  private void end() {
    if (worker != null) {
      worker.end();
      worker = null;
    }
  }

  @Override
  public boolean isBesideCommands() {
    return false;
  }
}
