package io.entroq.simulator.host;

import io.entroq.simulator.disk.DiskFaults;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;

/** Adds the failures of the disk to the faults of the world. One thread. */
final class DiskFaultCounter {
  private final DiskFaults disk;
  private final Faults faults;
  private long forces;
  private long writes;
  private long reads;

  DiskFaultCounter(DiskFaults disk, Faults faults) {
    this.disk = disk;
    this.faults = faults;
  }

  /** Adds those since the last call. */
  void count() {
    forces = count(FaultKind.FORCE_FAILS, forces, disk.failedForces());
    writes = count(FaultKind.SNAPSHOT_WRITE_FAILS, writes, disk.failedWrites());
    reads = count(FaultKind.READ_FAILS, reads, disk.failedReads());
  }

  private long count(FaultKind kind, long before, long now) {
    for (long i = before; i < now; i++) {
      faults.count(kind);
    }
    return now;
  }
}
