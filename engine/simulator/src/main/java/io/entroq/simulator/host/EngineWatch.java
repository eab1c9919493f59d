package io.entroq.simulator.host;

import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.disk.SimulatedDisk;

/**
 * Checks regularly what no single command shows: the rate of log time, free space on the disk,
 * snapshots and the log below them, and removed files. One life of an engine, one thread.
 */
final class EngineWatch {
  private final HostClock clock;
  private final SimulatedDisk disk;
  private final FreeSpaceWatch freeSpace;
  private final SnapshotWatch snapshots;
  private final DiskUseWatch diskUse;
  private final RecordEnds ends;
  private final ClockWatch logTime;
  private boolean isNew = true;

  EngineWatch(
      HostClock clock,
      SimulatedDisk disk,
      FreeSpaceWatch freeSpace,
      SnapshotWatch snapshots,
      DiskUseWatch diskUse,
      RecordEnds ends) {
    this.clock = clock;
    this.disk = disk;
    this.freeSpace = freeSpace;
    this.snapshots = snapshots;
    this.diskUse = diskUse;
    this.ends = ends;
    this.logTime = new ClockWatch(clock);
  }

  /** A snapshot has been written or has failed. */
  void onMaintenance(DrivenEngine engine) {
    snapshots.onMaintenance(ends);
    diskUse.onMaintenance(engine.stats().snapshots());
  }

  /** The engine has refused a command for lack of disk space or memory. */
  void onRefused(DrivenEngine engine, Request request) {
    long memoryBytes = engine.machine().memoryBytes();
    freeSpace.onRefused(request, engine.stats(), memoryBytes, clock.nanoTime(), disk.usableBytes());
  }

  /** Runs the regular checks. */
  void check(DrivenEngine engine) {
    logTime.check(engine.nowMs());
    long refused = engine.stats().writesRefusedForDisk();
    freeSpace.check(isNew, refused, clock.nanoTime(), disk.usableBytes());
    isNew = false;
  }
}
