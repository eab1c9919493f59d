package io.entroq.simulator.host;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.disk.SimulatedDisk;

/**
 * Holds what engines say is forced against what is on the disk: in all their lives, as what a dead
 * one has only written is there for the next, and can still be lost. One thread.
 */
final class ForceWatch {
  private final SimulatedDisk disk;
  private final RecordEnds ends;
  private long reported;

  ForceWatch(SimulatedDisk disk, RecordEnds ends) {
    this.disk = disk;
    this.ends = ends;
  }

  /** An engine says that everything up to a record is forced. */
  void onForced(long sequence) {
    if (sequence <= reported) {
      return;
    }
    reported = sequence;
    if (!disk.isLying() && !ends.isForced(disk, sequence)) {
      throw Invariant.FORCED_ON_DISK.broken(
          "@" + sequence, "all up to it on the disk", "some of it in memory only");
    }
  }

  /** All that there is is on the disk, whatever it is. */
  void onAllForced() {
    reported = 0;
    ends.clear();
  }
}
