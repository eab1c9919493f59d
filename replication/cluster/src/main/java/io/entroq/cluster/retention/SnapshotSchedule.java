package io.entroq.cluster.retention;

import java.util.concurrent.TimeUnit;

/**
 * Decides when the leader should request a snapshot, so that disk use depends on the size of the
 * state alone, and a restart has little log to apply. Upkeep thread.
 */
final class SnapshotSchedule {
  /** The time between snapshots is at least this many times the last pause. */
  private static final int PAUSES_BETWEEN = 10;

  /** While the disk is low, a snapshot is due after 1/8 of the usual log. */
  private static final int LOW_DISK_DIVISOR = 8;

  /** After a snapshot that failed. */
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(30);

  private final Retention retention;
  private long requestedNs;
  private long requestedPosition = -1;

  SnapshotSchedule(Retention retention) {
    this.retention = retention;
  }

  /**
   * The input of a decision.
   *
   * @param position of the newest snapshot; 0 if there is none
   * @param ageMs log time since the newest snapshot, or since the member started
   * @param commitPosition end of the log
   * @param hasWritten whether commands were applied since the newest snapshot
   * @param bytes size of the newest snapshot
   * @param pauseNs how long it delayed commands
   * @param logBytesLow if the disk is low: log since the older of the two newest snapshots, which
   *     two more snapshots would free; otherwise 0
   */
  record Situation(
      long position,
      long ageMs,
      long commitPosition,
      boolean hasWritten,
      long bytes,
      long pauseNs,
      long logBytesLow) {}

  boolean isDue(Situation now, boolean isRequested, long nowNs) {
    return (isRequested || isWanted(now)) && mayRequest(now, nowNs);
  }

  private boolean isWanted(Situation now) {
    long logBytes = now.commitPosition() - now.position();
    return logBytes >= Math.max(retention.snapshotLogBytes(), now.bytes() / 2)
        || (now.hasWritten() && now.ageMs() >= retention.snapshotInterval().toMillis())
        || isWantedForDisk(now);
  }

  /** Whether the disk is low, and two snapshots would free more than they take. */
  boolean isWantedForDisk(Situation now) {
    return now.logBytesLow()
        >= Math.max(retention.snapshotLogBytes() / LOW_DISK_DIVISOR, 2 * now.bytes());
  }

  private boolean mayRequest(Situation now, long nowNs) {
    if (requestedPosition < 0) {
      return true;
    }
    boolean hasFailed = now.position() <= requestedPosition;
    long waitNs = hasFailed ? RETRY_NS : PAUSES_BETWEEN * now.pauseNs();
    return nowNs - requestedNs >= waitNs;
  }

  void onRequested(Situation now, long nowNs) {
    requestedNs = nowNs;
    requestedPosition = now.position();
  }
}
