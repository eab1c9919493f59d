package io.entroq.simulator.host;

import io.entroq.simulator.disk.DiskImage;
import io.entroq.simulator.disk.SimulatedDisk;

/**
 * What an operator puts back where an engine refuses to open: the disk as it was before something
 * happened to it, and what was in doubt by then.
 */
record Backup(DiskImage image, Doubts doubts) {
  /** Of what is there now. */
  static Backup of(SimulatedDisk disk, SnapshotWatch snapshots) {
    return new Backup(disk.image(), snapshots.doubts());
  }

  /** Has it there again. Not while a process lives. */
  void restore(SimulatedDisk disk, SnapshotWatch snapshots) {
    disk.restore(image);
    snapshots.onRestored(doubts);
  }
}
