package io.entroq.engine.upkeep;

import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.retention.LogReaders;
import io.entroq.engine.log.retention.LogRetention;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotAbandonedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.FrozenState;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Snapshots in a data directory, and the log that they make superfluous. */
final class DirectoryWork implements SnapshotWork {
  private static final Logger LOGGER = System.getLogger(Upkeep.class.getName());
  private static final int SNAPSHOTS_KEPT = 2;

  private final CommandLog log;
  private final SnapshotDirectory snapshots;
  private final SnapshotWriter writer;
  private final LogRetention retention;
  private final LogReaders readers;
  private final long readerBytesMax;
  private final FaultHook faults;

  DirectoryWork(
      CommandLog log,
      SnapshotDirectory snapshots,
      SnapshotWriter writer,
      LogRetention retention,
      LogReaders readers,
      long readerBytesMax,
      FaultHook faults) {
    this.log = log;
    this.snapshots = snapshots;
    this.writer = writer;
    this.retention = retention;
    this.readers = readers;
    this.readerBytesMax = readerBytesMax;
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
      List<Snapshot> newestFirst = snapshots.newestFirst();
      if (newestFirst.size() < SNAPSHOTS_KEPT) {
        return 0;
      }
      long wanted = newestFirst.get(SNAPSHOTS_KEPT - 1).sequence();
      long held = readers.lowestHeld(wanted, readerBytesMax);
      long oldest = snapshots.keepNewest(SNAPSHOTS_KEPT, sequence -> sequence >= held);
      if (oldest == 0) {
        return 0;
      }
      faults.reached(FaultPoint.AFTER_SNAPSHOTS_REMOVED);
      return retention.removeBelow(Math.min(oldest, held));
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
