package io.entroq.simulator.host;

import io.entroq.simulator.disk.DiskImage;
import io.entroq.simulator.disk.SimulatedDisk;

/**
 * What an operator puts back where an engine refuses to open: the disk as it was before something
 * happened to it, and what was known of it by then.
 *
 * @param marked which record the mark of an orderly end named
 */
record Backup(DiskImage image, SuspectFiles doubts, long marked) {
  /** Of what is there now. */
  static Backup of(SimulatedDisk disk, SnapshotWatch snapshots, LogProgress course) {
    return new Backup(disk.image(), snapshots.doubts(), course.marked());
  }

  /** Has it there again. Not while a process lives. */
  void restore(SimulatedDisk disk, SnapshotWatch snapshots, LogProgress course) {
    disk.restore(image);
    snapshots.onRestored(doubts);
    course.onRestored(marked);
  }
}
