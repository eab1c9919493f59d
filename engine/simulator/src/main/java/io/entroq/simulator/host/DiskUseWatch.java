package io.entroq.simulator.host;

import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.disk.DiskFaults;
import io.entroq.simulator.disk.SimulatedDisk;

/**
 * Reports the size of the data directory to the ledger, each time a snapshot has been written and
 * what it replaces should be gone. One thread.
 */
final class DiskUseWatch {
  private final SimulatedDisk disk;
  private final SnapshotWatch snapshots;
  private final Ledger ledger;
  private final long snapshotLogBytes;

  /** Of the snapshots that this life has found or written. */
  private long largestBytes;

  /**
   * How often the disk had failed when the engine was opened, and how many snapshots it has taken.
   */
  private long failures;

  private long taken;

  DiskUseWatch(SimulatedDisk disk, SnapshotWatch snapshots, Ledger ledger, long snapshotLogBytes) {
    this.disk = disk;
    this.snapshots = snapshots;
    this.ledger = ledger;
    this.snapshotLogBytes = snapshotLogBytes;
  }

  /** An engine is about to be opened. */
  void onOpening() {
    failures = failures();
    taken = 0;
    largestBytes = SnapshotNames.largestBytes(disk);
  }

  /**
   * A snapshot that was handed over has been written, or could not be.
   *
   * @param counters how those of this life have gone
   */
  void onMaintenance(SnapshotStats counters) {
    largestBytes = Math.max(largestBytes, counters.bytes());
    // What a disk that has failed once has left undone is done after a later one.
    boolean isDone = counters.taken() > taken && failures() == failures && counters.failed() == 0;
    if (isDone && !snapshots.isAnyDamaged()) {
      ledger.onDiskUse(disk.usedBytes(), largestBytes, snapshotLogBytes);
    }
    taken = counters.taken();
  }

  private long failures() {
    DiskFaults faults = disk.faults();
    return faults.failedForces() + faults.failedWrites() + faults.failedReads() + faults.refusals();
  }
}
