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

/** Snapshots in a data directory, and the log that they make superfluous. */
final class DirectoryMaintenance implements SnapshotTask {
  private static final Logger LOGGER = System.getLogger(Maintenance.class.getName());

  private final CommandLog log;
  private final SnapshotWriter writer;
  private final ObsoleteFiles superfluous;
  private final FaultHook faults;

  DirectoryMaintenance(
      CommandLog log, SnapshotWriter writer, ObsoleteFiles superfluous, FaultHook faults) {
    this.log = log;
    this.writer = writer;
    this.superfluous = superfluous;
    this.faults = faults;
  }

  @Override
  public long write(FrozenState state, BooleanSupplier isAbandoned) {
    try {
      return writer.write(state, this::forceLog, isAbandoned, written -> {}).stateBytes();
    } catch (SnapshotAbandonedException e) {
      return ABANDONED;
    } catch (RuntimeException | Error e) {
      // Whatever it was: the engine goes on without, and the next try may do better.
      warn(
          "The snapshot at record %,d was not taken; it is tried again later. "
              .formatted(state.sequence()),
          e);
      return 0;
    }
  }

  /** Nothing may rest on a snapshot while what it replaces could still vanish from the log. */
  private void forceLog(long sequence) {
    if (log.forcedSequence() < sequence) {
      log.force();
    }
    faults.reached(FaultPoint.BEFORE_SNAPSHOT_NAMED);
  }

  @Override
  public long letGo() {
    try {
      return superfluous.letGo();
    } catch (RuntimeException | Error e) {
      warn(
          "What the newest snapshot makes superfluous was not deleted; it is tried again after the"
              + " next. ",
          e);
      return 0;
    }
  }

  /** No pattern: what a message holds is not to be taken for one. */
  private static void warn(String what, Throwable e) {
    String why = e instanceof LogException ? e.getMessage() : e.toString();
    LOGGER.log(Level.WARNING, what + why);
  }
}
