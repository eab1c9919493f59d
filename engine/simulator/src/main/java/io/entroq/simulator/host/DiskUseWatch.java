package io.entroq.simulator.host;

import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.disk.DiskFaults;
import io.entroq.simulator.disk.SimulatedDisk;

/**
 * Reports the size of the data directory to the ledger, and counts its snapshots, whenever a
 * snapshot has been written and the files that it replaces should be gone. One thread.
 */
final class DiskUseWatch {
  private final SimulatedDisk disk;
  private final SnapshotWatch snapshots;
  private final Ledger ledger;
  private final long snapshotLogBytes;

  /** The largest snapshot that this life has found or written. */
  private long largestBytes;

  /** Failures of the disk when the engine was opened. */
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
   * A snapshot has been written or has failed.
   *
   * @param counters of this life's snapshots
   */
  void onMaintenance(SnapshotStats counters) {
    largestBytes = Math.max(largestBytes, counters.bytes());
    // After a failure of the disk, the rest is done with a later snapshot.
    boolean isDone = counters.taken() > taken && failures() == failures && counters.failed() == 0;
    if (isDone && !snapshots.isAnyDamaged()) {
      ledger.onDiskUse(disk.usedBytes(), largestBytes, snapshotLogBytes);
      requireTwoSnapshots(counters.taken());
    }
    taken = counters.taken();
  }

  /** One of them may turn out to be damaged. */
  private void requireTwoSnapshots(long takenByThisLife) {
    int kept = SnapshotNames.all(disk).size();
    Invariant.TWO_SNAPSHOTS_KEPT.require(
        takenByThisLife < 2 || kept >= 2, "the directory", "two snapshots", kept + " are left");
  }

  private long failures() {
    DiskFaults faults = disk.faults();
    return faults.failedForces() + faults.failedWrites() + faults.failedReads() + faults.refusals();
  }
}
