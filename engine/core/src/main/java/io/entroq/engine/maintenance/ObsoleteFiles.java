package io.entroq.engine.maintenance;

import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.retention.LogReaders;
import io.entroq.engine.log.retention.LogRetention;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import java.util.List;

/**
 * Removes what a data directory no longer needs: all but the two newest good snapshots, and the log
 * before them that no registered reader needs. Not thread-safe.
 */
public final class ObsoleteFiles {
  private static final int SNAPSHOTS_KEPT = 2;

  private final SnapshotDirectory snapshots;
  private final LogRetention retention;
  private final LogReaders readers;
  private final long readerBytesMax;
  private final FaultHook faults;

  /**
   * @param snapshots of the same data directory
   * @param readerBytesMax bytes of log kept at most for a reader
   */
  public ObsoleteFiles(
      LogDirectory directory, SnapshotDirectory snapshots, long readerBytesMax, FaultHook faults) {
    this.snapshots = snapshots;
    this.retention = new LogRetention(directory);
    this.readers = new LogReaders(directory);
    this.readerBytesMax = readerBytesMax;
    this.faults = faults;
  }

  /**
   * Removes obsolete files.
   *
   * @return bytes of log removed
   * @throws io.entroq.engine.log.LogException if something cannot be read or deleted
   */
  public long remove() {
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
  }
}
