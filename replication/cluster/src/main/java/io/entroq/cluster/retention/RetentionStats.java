package io.entroq.cluster.retention;

import io.entroq.engine.maintenance.SnapshotStats;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Snapshots and log of a member in numbers.
 *
 * @param snapshots those taken since it began; their pause is the time for which the service could
 *     do nothing else. Sequence and size are at first those of the one that it began with
 * @param snapshotPosition where in the log of the cluster the newest one is; 0: there is none
 * @param snapshotAgeMs how old that one is in log time; 0: there is none
 * @param snapshotsHeld how many it has on its disk
 * @param logBytesSince bytes of log since the newest one: what a restart has to apply
 * @param logBytesHeld bytes of log on its disk
 * @param logBytesFreed bytes of log that it has let go since it began
 * @param membersBehind those for whom no log is kept any more: they have to be replaced
 * @param divergences in how many snapshots members were found to have different states
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
  /** Keeps a copy. */
  public RetentionStats {
    membersBehind = Collections.unmodifiableSortedSet(new TreeSet<>(membersBehind));
  }

  /** Of a member that has just begun. */
  static final RetentionStats NONE =
      new RetentionStats(SnapshotStats.NONE, 0, 0, 0, 0, 0, 0, new TreeSet<>(Set.of()), 0);
}
