package io.entroq.engine.maintenance;

import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogException;
import io.entroq.engine.snapshot.SnapshotAbandonedException;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.FrozenState;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.BooleanSupplier;

/** Writes snapshots to a data directory and removes what they make obsolete. */
final class DirectoryMaintenance implements SnapshotTask {
  private static final Logger LOGGER = System.getLogger(Maintenance.class.getName());

  private final CommandLog log;
  private final SnapshotWriter writer;
  private final ObsoleteFiles obsolete;
  private final Runnable filters;
  private final BooleanSupplier isScarce;
  private final FaultHook faults;

  /**
   * @param filters writes the filters of ids that were cut with a state
   * @param isScarce whether the disk has too little room for history
   */
  DirectoryMaintenance(
      CommandLog log,
      SnapshotWriter writer,
      ObsoleteFiles obsolete,
      Runnable filters,
      BooleanSupplier isScarce,
      FaultHook faults) {
    this.log = log;
    this.writer = writer;
    this.obsolete = obsolete;
    this.filters = filters;
    this.isScarce = isScarce;
    this.faults = faults;
  }

  @Override
  public long write(FrozenState state, BooleanSupplier isAbandoned) {
    // First, so that no snapshot is without them if the process is killed in between.
    writeFilters();
    try {
      return writer.write(state, this::forceLog, isAbandoned, written -> {}).stateBytes();
    } catch (SnapshotAbandonedException e) {
      return ABANDONED;
    } catch (RuntimeException | Error e) {
      // The engine continues after any failure; the next attempt may succeed.
      warn(
          "Taking the snapshot at record %,d failed; it will be retried later. "
              .formatted(state.sequence()),
          e);
      return 0;
    }
  }

  /** If that fails, the engine continues, too: the log is read where there is no filter. */
  private void writeFilters() {
    try {
      filters.run();
    } catch (RuntimeException | Error e) {
      warn("A history of single tasks will take longer. ", e);
    }
  }

  /** A snapshot must not be used before the log that it replaces is on the disk. */
  private void forceLog(long sequence) {
    if (log.forcedSequence() < sequence) {
      log.force();
    }
    faults.reached(FaultPoint.BEFORE_SNAPSHOT_NAMED);
  }

  @Override
  public long removeObsolete() {
    try {
      return obsolete.remove();
    } catch (RuntimeException | Error e) {
      warn(
          "Removing files that the newest snapshot makes obsolete failed; it will be retried after"
              + " the next snapshot. ",
          e);
      return 0;
    }
  }

  @Override
  public long makeRoom() {
    try {
      return obsolete.makeRoom(isScarce);
    } catch (RuntimeException | Error e) {
      warn("Removing history from a disk with little room failed; it will be retried. ", e);
      return 0;
    }
  }

  /** Logs without parameters, so that the text is not parsed as a format. */
  private static void warn(String what, Throwable e) {
    String why = e instanceof LogException ? e.getMessage() : e.toString();
    LOGGER.log(Level.WARNING, what + why);
  }
}
