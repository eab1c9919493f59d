package io.entroq.engine.maintenance;

/**
 * Says whether a snapshot is due. What a directory holds is then at most two snapshots, a third
 * that is being written, and the log behind the older one: four times what is live, and a little.
 */
final class SnapshotSchedule {
  private static final int HELD_PER_LIVE = 4;

  /** Snapshots that are kept whatever happens. */
  private static final int KEPT = 2;

  /** Less than this part of the usual log is not worth a snapshot, however full the disk. */
  private static final int PART_WORTHWHILE = 4;

  private final MaintenanceConfig config;

  SnapshotSchedule(MaintenanceConfig config) {
    this.config = config;
  }

  /**
   * By what the log has grown.
   *
   * @param logBytes bytes of log since the newest snapshot
   * @param liveBytes what a snapshot would take
   */
  boolean isDueByBytes(long logBytes, long liveBytes) {
    return logBytes >= Math.max(config.snapshotLogBytes(), liveBytes / 2);
  }

  /**
   * Because more is held than is live: a large state has gone, and its snapshots, or the log that
   * made it, are still there.
   *
   * @param heldBytes snapshots, and the log behind the older one
   * @param isDiskLow whether that is wanted back at once
   */
  boolean isDueByHeld(long heldBytes, long liveBytes, boolean isDiskLow) {
    if (isDiskLow) {
      return heldBytes > KEPT * liveBytes + config.snapshotLogBytes() / PART_WORTHWHILE;
    }
    // The log behind the older snapshot grows to twice the bound on the way to the next one.
    long slack = 2 * config.snapshotLogBytes() + config.snapshotLogBytes() / 2;
    return heldBytes > HELD_PER_LIVE * liveBytes + slack;
  }

  /** Because the disk fills, and a snapshot would let go of more log than it takes. */
  boolean isDueByLowDisk(long logBytes, long liveBytes) {
    return logBytes >= config.snapshotLogBytes() / PART_WORTHWHILE && logBytes > liveBytes;
  }
}
