package io.entroq.cluster.retention;

import java.util.concurrent.TimeUnit;

/**
 * Says whether the leader should have a snapshot taken. What a member holds is then a function of
 * what is live, and a restart has little to apply. Upkeep thread.
 */
final class SnapshotSchedule {
  /** Commands stand still for at most this part of the time. */
  private static final int PART_OF_TIME = 10;

  /** While the disk is low: what it is worth a snapshot to let go of, in this part. */
  private static final int PART_WORTHWHILE = 8;

  /** After one of which nothing came. */
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(30);

  private final Retention retention;
  private long askedNs;
  private long askedPosition = -1;

  SnapshotSchedule(Retention retention) {
    this.retention = retention;
  }

  /**
   * What there is to decide from.
   *
   * @param position of the newest snapshot; 0: none
   * @param ageMs log time since then, or since the member began
   * @param commitPosition end of the log
   * @param hasWritten whether the state has another sequence than then
   * @param bytes size of the newest snapshot
   * @param pauseNs how long it held commands up
   * @param logBytesLow if the disk is low: log since the older of the two newest, which two more of
   *     them would let go; else 0
   */
  record Situation(
      long position,
      long ageMs,
      long commitPosition,
      boolean hasWritten,
      long bytes,
      long pauseNs,
      long logBytesLow) {}

  /**
   * @param isRequested whether another member wishes for one
   */
  boolean isDue(Situation now, boolean isRequested, long nowNs) {
    return (isRequested || isWanted(now)) && mayAsk(now, nowNs);
  }

  private boolean isWanted(Situation now) {
    long logBytes = now.commitPosition() - now.position();
    return logBytes >= Math.max(retention.snapshotLogBytes(), now.bytes() / 2)
        || (now.hasWritten() && now.ageMs() >= retention.snapshotInterval().toMillis())
        || isWantedForDisk(now);
  }

  /** Whether the disk is low, and more would be let go of than is taken. */
  boolean isWantedForDisk(Situation now) {
    return now.logBytesLow()
        >= Math.max(retention.snapshotLogBytes() / PART_WORTHWHILE, 2 * now.bytes());
  }

  private boolean mayAsk(Situation now, long nowNs) {
    if (askedPosition < 0) {
      return true;
    }
    boolean cameToNothing = now.position() <= askedPosition;
    long restNs = cameToNothing ? RETRY_NS : PART_OF_TIME * now.pauseNs();
    return nowNs - askedNs >= restNs;
  }

  /** It has been asked for. */
  void asked(Situation now, long nowNs) {
    askedNs = nowNs;
    askedPosition = now.position();
  }
}
