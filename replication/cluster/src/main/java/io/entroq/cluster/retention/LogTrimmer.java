package io.entroq.cluster.retention;

import io.entroq.cluster.service.SnapshotReports;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Deletes log and snapshots that no member needs, in small batches, because the archive does
 * nothing else meanwhile. Upkeep thread.
 */
final class LogTrimmer {
  private static final Logger LOGGER = System.getLogger(MemberUpkeep.class.getName());

  /** Between two batches. */
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Nothing is deleted for this time after an election, so that members can catch up. */
  private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(2);

  /** Segments per batch. */
  private static final int SEGMENTS_MAX = 4;

  private static final long UNKNOWN = -1;

  private final UpkeepTarget member;
  private final Retention retention;
  private final SnapshotReports reports;
  private final LocalSnapshots snapshots;
  private long nextNs = System.nanoTime();
  private long trimmedPosition = UNKNOWN;
  private boolean isTrimmed;
  private long start = UNKNOWN;
  private long bytesFreed;
  private SortedSet<Integer> lagging = new TreeSet<>();

  LogTrimmer(
      UpkeepTarget member, Retention retention, SnapshotReports reports, LocalSnapshots snapshots) {
    this.member = member;
    this.retention = retention;
    this.reports = reports;
    this.snapshots = snapshots;
  }

  /** Looks for obsolete files again, because there are new snapshots. */
  void recheck() {
    isTrimmed = false;
  }

  /** Deletes one batch, if there is one and it is time. */
  void trim() {
    long nowNs = System.nanoTime();
    if (!member.hasLeader()) {
      nextNs = nowNs + SETTLE_NS;
    }
    if (nowNs - nextNs < 0 || !isStartKnown()) {
      return;
    }
    RequiredLog required =
        RequiredLog.of(
            reports.held().positions(), start, member.commitPosition(), logBytesMax(), lagging);
    warnOfLagging(required.lagging());
    RetentionHold hold = RetentionHold.of(snapshots.all(), required.position());
    if (isTrimmed && hold.logPosition() == trimmedPosition) {
      return;
    }
    snapshots.invalidateAllBut(hold);
    try (RaftArchive archive = new RaftArchive(member.archive())) {
      boolean isLogTrimmed = trimLog(archive, hold.logPosition());
      isTrimmed = deleteSnapshots(archive, hold) && isLogTrimmed;
      trimmedPosition = hold.logPosition();
    }
    nextNs = System.nanoTime() + (isTrimmed ? 0 : PAUSE_NS);
  }

  /** The start of the log decides what is kept for silent members. */
  private boolean isStartKnown() {
    if (start == UNKNOWN) {
      try (RaftArchive archive = new RaftArchive(member.archive())) {
        start = archive.log().map(RaftArchive.Recording::startPosition).orElse(UNKNOWN);
      }
    }
    return start != UNKNOWN;
  }

  /** Large states have few snapshots, so a member may be a whole one behind. */
  private long logBytesMax() {
    return Math.max(retention.logBytesMax(), 2 * member.snapshots().bytes());
  }

  private void warnOfLagging(SortedSet<Integer> newLagging) {
    for (int id : newLagging) {
      if (!lagging.contains(id)) {
        LOGGER.log(
            Level.WARNING,
            "Member {0} has not reported a snapshot for more than {1} bytes of log (logBytesMax). No"
                + " more log is kept for it: if it is down and does not return soon, replace it from"
                + " a healthy member",
            id,
            logBytesMax());
      }
    }
    lagging = newLagging;
  }

  /** Returns whether nothing is left to delete. */
  private boolean trimLog(RaftArchive archive, long neededPosition) {
    RaftArchive.Recording log = archive.log().orElse(null);
    if (log == null) {
      return true;
    }
    start = archive.trim(log, neededPosition, SEGMENTS_MAX);
    bytesFreed += start - log.startPosition();
    return start >= log.segmentAt(neededPosition);
  }

  /**
   * Returns whether nothing is left to delete. Includes recordings that the recording log does not
   * name: those invalidated before a restart, and unfinished ones.
   */
  private static boolean deleteSnapshots(RaftArchive archive, RetentionHold hold) {
    int remaining = SEGMENTS_MAX;
    boolean isDone = true;
    for (RaftArchive.Recording recording : archive.recordings()) {
      if (remaining > 0 && isUnused(recording, hold)) {
        int deleted = archive.delete(recording, remaining);
        remaining -= deleted;
        isDone &= deleted > 0;
      }
    }
    return isDone && remaining > 0;
  }

  private static boolean isUnused(RaftArchive.Recording recording, RetentionHold hold) {
    return recording.isOfSnapshot() && recording.stopPosition() >= 0 && !hold.needs(recording.id());
  }

  /** Where the log starts; 0 while unknown. */
  long start() {
    return Math.max(0, start);
  }

  /** Bytes of log deleted so far. */
  long bytesFreed() {
    return bytesFreed;
  }

  /** Members for which no more log is kept. Not modified later. */
  SortedSet<Integer> lagging() {
    return lagging;
  }
}
