package io.entroq.engine.maintenance;

/**
 * Writes snapshots when it is told to, on the thread that also executes the commands: for worlds in
 * which one thread does everything, and time is what they say.
 *
 * <p>Belongs to one engine at a time; when that is closed, the next may have it. Commands between
 * two steps are those that come while a snapshot is written.
 */
public final class SteppedMaintenance implements MaintenanceRunner {
  private MaintenanceWorker desk;

  /**
   * Does what the thread would do next: writes the snapshot that was handed over and deletes what
   * it makes superfluous; or, if there is none, asks whether one is due when the interval has
   * passed. Does nothing while there is no engine.
   *
   * <p>What is thrown by whoever plays a crash comes out here, unless it is taken for trouble of
   * the disk, which the engine survives.
   */
  public void step() {
    if (desk != null) {
      desk.turn(desk.taken());
    }
  }

  /** Whether a snapshot was handed over that is not written yet. */
  public boolean hasSnapshot() {
    return desk != null && !desk.isIdle();
  }

  @Override
  public AutoCloseable run(MaintenanceWorker next) {
    if (desk != null) {
      throw new IllegalStateException("another engine that is not closed has it");
    }
    desk = next;
    return this::end;
  }

  private void end() {
    if (desk != null) {
      desk.end();
      desk = null;
    }
  }

  @Override
  public boolean isBesideCommands() {
    return false;
  }
}
