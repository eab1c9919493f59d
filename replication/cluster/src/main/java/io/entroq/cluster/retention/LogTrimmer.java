package io.entroq.cluster.retention;

import io.entroq.cluster.service.SnapshotReports;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Lets go of log and snapshots that nobody needs, a little at a time, since the archive can do
 * nothing else meanwhile. Upkeep thread.
 */
final class LogTrimmer {
  private static final Logger LOGGER = System.getLogger(MemberUpkeep.class.getName());

  /** Between two lots that are deleted. */
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(500);

  /** After a vote nothing is deleted for a while: members may want to catch up. */
  private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(2);

  /** Deleted at once. */
  private static final int SEGMENTS_MAX = 4;

  private static final long NOT_KNOWN = -1;

  private final UpkeepTarget member;
  private final Retention retention;
  private final SnapshotReports reports;
  private final LocalSnapshots snapshots;
  private long nextNs = System.nanoTime();
  private long trimmedFor = NOT_KNOWN;
  private boolean isTidy;
  private long start = NOT_KNOWN;
  private long bytesFreed;
  private SortedSet<Integer> lagging = new TreeSet<>();

  LogTrimmer(
      UpkeepTarget member, Retention retention, SnapshotReports reports, LocalSnapshots snapshots) {
    this.member = member;
    this.retention = retention;
    this.reports = reports;
    this.snapshots = snapshots;
  }

  /** There may be more to be let go of. */
  void recheck() {
    isTidy = false;
  }

  /** Lets go of one lot, if there is something and it is time. */
  void trim() {
    long nowNs = System.nanoTime();
    if (!member.isInTouch()) {
      nextNs = nowNs + SETTLE_NS;
    }
    if (nowNs - nextNs < 0 || !isStartKnown()) {
      return;
    }
    RequiredLog need =
        RequiredLog.of(
            reports.held().positions(), start, member.commitPosition(), logBytesMax(), lagging);
    announce(need.lagging());
    RetentionHold hold = RetentionHold.of(snapshots.all(), need.position());
    if (isTidy && hold.logPosition() == trimmedFor) {
      return;
    }
    snapshots.invalidate(hold.others(snapshots.all()));
    try (RaftArchive archive = new RaftArchive(member.archive())) {
      boolean isLogTidy = trimLog(archive, hold.logPosition());
      isTidy = dropSnapshots(archive, hold) && isLogTidy;
      trimmedFor = hold.logPosition();
    }
    nextNs = System.nanoTime() + (isTidy ? 0 : PAUSE_NS);
  }

  /** What is kept for whom depends on what there is, so that is asked before anything is done. */
  private boolean isStartKnown() {
    if (start == NOT_KNOWN) {
      try (RaftArchive archive = new RaftArchive(member.archive())) {
        start = archive.log().map(RaftArchive.Recording::startPosition).orElse(NOT_KNOWN);
      }
    }
    return start != NOT_KNOWN;
  }

  /** Large states have few snapshots: a member may be one of them behind. */
  private long logBytesMax() {
    return Math.max(retention.logBytesMax(), 2 * member.snapshots().bytes());
  }

  private void announce(SortedSet<Integer> nowBehind) {
    for (int id : nowBehind) {
      if (!lagging.contains(id)) {
        LOGGER.log(
            Level.WARNING,
            "Member {0} has not reported a snapshot for more than {1} bytes of log (logBytesMax)."
                + " No more is kept for it: if it is down and does not come back at once, it has to"
                + " be replaced from a healthy member",
            id,
            logBytesMax());
      }
    }
    lagging = nowBehind;
  }

  /** Whether all is done. */
  private boolean trimLog(RaftArchive archive, long neededPosition) {
    RaftArchive.Recording log = archive.log().orElse(null);
    if (log == null) {
      return true;
    }
    long begins = archive.trim(log, neededPosition, SEGMENTS_MAX);
    bytesFreed += begins - log.startPosition();
    start = begins;
    return begins >= log.segmentAt(neededPosition);
  }

  /**
   * Whether all is done. What no entry names counts too: it was struck out before an end of this
   * process, or never finished.
   */
  private static boolean dropSnapshots(RaftArchive archive, RetentionHold hold) {
    int left = SEGMENTS_MAX;
    boolean isDone = true;
    for (RaftArchive.Recording recording : archive.recordings()) {
      if (left > 0 && isUnused(recording, hold)) {
        int deleted = archive.delete(recording, left);
        left -= deleted;
        isDone &= deleted > 0;
      }
    }
    return isDone && left > 0;
  }

  private static boolean isUnused(RaftArchive.Recording recording, RetentionHold hold) {
    return recording.isOfSnapshot() && recording.stopPosition() >= 0 && !hold.needs(recording.id());
  }

  /** Where the log begins; 0 also while that is not known. */
  long start() {
    return Math.max(0, start);
  }

  /** Bytes of log that were let go. */
  long bytesFreed() {
    return bytesFreed;
  }

  /** Those for whom nothing is kept any more; not changed afterwards. */
  SortedSet<Integer> lagging() {
    return lagging;
  }
}
