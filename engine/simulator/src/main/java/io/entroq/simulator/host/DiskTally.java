package io.entroq.simulator.host;

import io.entroq.simulator.disk.DiskFaults;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;

/**
 * Counts what the disk has done wrong, and tells whether an engine had reason to stop or not to
 * open. One thread.
 */
final class DiskTally {
  private final DiskFaults disk;
  private final Faults faults;
  private long forces;
  private long writes;
  private long reads;
  private long refusals;

  DiskTally(DiskFaults disk, Faults faults) {
    this.disk = disk;
    this.faults = faults;
  }

  /**
   * Counts what has come since the last time.
   *
   * @return whether there was any that an engine cannot live with
   */
  boolean count() {
    boolean isReason = disk.failedForces() > forces || disk.failedReads() > reads;
    isReason |= disk.refusals() > refusals || disk.failedWrites() > writes;
    forces = count(FaultKind.FORCE_FAILS, forces, disk.failedForces());
    writes = count(FaultKind.SNAPSHOT_WRITE_FAILS, writes, disk.failedWrites());
    reads = count(FaultKind.READ_FAILS, reads, disk.failedReads());
    refusals = disk.refusals();
    return isReason;
  }

  private long count(FaultKind kind, long before, long now) {
    for (long i = before; i < now; i++) {
      faults.count(kind);
    }
    return now;
  }
}
