package io.entroq.simulator.host;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.disk.SimulatedDisk;

/**
 * Compares what engines report as forced with the disk, over all lives: unforced writes of a dead
 * engine can still be lost in the next life. One thread.
 */
final class ForceWatch {
  private final SimulatedDisk disk;
  private final RecordEnds ends;
  private long reported;

  ForceWatch(SimulatedDisk disk, RecordEnds ends) {
    this.disk = disk;
    this.ends = ends;
  }

  /** An engine reports everything up to a record as forced. */
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

  /** Everything that exists is on the disk. */
  void onAllForced() {
    reported = 0;
    ends.clear();
  }
}
