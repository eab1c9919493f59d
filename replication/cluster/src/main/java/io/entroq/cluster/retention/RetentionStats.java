package io.entroq.cluster.retention;

import io.entroq.engine.maintenance.SnapshotStats;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Statistics of a member's snapshots and log.
 *
 * @param snapshots taken since the start. The pause is the time that the service was blocked.
 *     Sequence and size are at first those of the snapshot that the member started with
 * @param snapshotPosition of the newest snapshot in the cluster's log; 0 if there is none
 * @param snapshotAgeMs age of the newest snapshot in log time; 0 if there is none
 * @param snapshotsHeld number of snapshots on disk
 * @param logBytesSince bytes of log since the newest snapshot, which a restart has to apply
 * @param logBytesHeld bytes of log on disk
 * @param logBytesFreed bytes of log deleted since the start
 * @param membersBehind members for which no more log is kept; they may have to be replaced
 * @param divergences number of snapshots in which members had different states
 */
public record RetentionStats(
    SnapshotStats snapshots,
    long snapshotPosition,
    long snapshotAgeMs,
    int snapshotsHeld,
    long logBytesSince,
    long logBytesHeld,
    long logBytesFreed,
    SortedSet<Integer> membersBehind,
    long divergences) {
  public RetentionStats {
    membersBehind = Collections.unmodifiableSortedSet(new TreeSet<>(membersBehind));
  }

  static final RetentionStats NONE =
      new RetentionStats(SnapshotStats.NONE, 0, 0, 0, 0, 0, 0, new TreeSet<>(Set.of()), 0);
}
