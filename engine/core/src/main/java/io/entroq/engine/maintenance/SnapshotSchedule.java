package io.entroq.engine.maintenance;

/**
 * Decides whether a snapshot is due. It bounds a directory to two snapshots, a third being written,
 * and the log after the older one: a little over four times the live bytes.
 */
final class SnapshotSchedule {
  private static final int HELD_PER_LIVE = 4;

  /** Number of snapshots that are always kept. */
  private static final int KEPT = 2;

  /**
   * With less than this fraction of the usual log, a snapshot is not worthwhile even on a full
   * disk.
   */
  private static final int PART_WORTHWHILE = 4;

  private final MaintenanceConfig config;

  SnapshotSchedule(MaintenanceConfig config) {
    this.config = config;
  }

  /**
   * Whether the log has grown enough.
   *
   * @param logBytes bytes of log since the newest snapshot
   * @param liveBytes approximate size of a snapshot
   */
  boolean isDueByBytes(long logBytes, long liveBytes) {
    return logBytes >= Math.max(config.snapshotLogBytes(), liveBytes / 2);
  }

  /**
   * Whether the directory has much more than is live: a large state was deleted, but its snapshots
   * or its log still exist.
   *
   * @param heldBytes bytes of the snapshots and of the log after the older one
   * @param isDiskLow whether to free that space at once
   */
  boolean isDueByHeld(long heldBytes, long liveBytes, boolean isDiskLow) {
    if (isDiskLow) {
      return heldBytes > KEPT * liveBytes + config.snapshotLogBytes() / PART_WORTHWHILE;
    }
    // The log after the older snapshot grows to twice the limit before the next one.
    long slack = 2 * config.snapshotLogBytes() + config.snapshotLogBytes() / 2;
    return heldBytes > HELD_PER_LIVE * liveBytes + slack;
  }

  /** Whether, on a full disk, a snapshot would free more log than it takes. */
  boolean isDueByLowDisk(long logBytes, long liveBytes) {
    return logBytes >= config.snapshotLogBytes() / PART_WORTHWHILE && logBytes > liveBytes;
  }
}
