package io.entroq.cluster.retention;

import java.util.ArrayList;
import java.util.List;

/**
 * The snapshots and log that a member keeps: its two newest snapshots, in case the newest is
 * damaged; the newest snapshot that all members have, in case they diverged later; and the log from
 * the oldest of these on.
 *
 * @param snapshots oldest first
 * @param logPosition the log is kept from here on
 */
record RetentionHold(List<RaftSnapshot> snapshots, long logPosition) {
  /**
   * @param all the member's snapshots, oldest first
   * @param neededPosition other members need the log from here on
   */
  static RetentionHold of(List<RaftSnapshot> all, long neededPosition) {
    if (all.size() < 2) {
      return new RetentionHold(all, 0);
    }
    List<RaftSnapshot> kept = new ArrayList<>(all.subList(all.size() - 2, all.size()));
    long logPosition = Math.min(neededPosition, kept.get(0).position());
    for (int i = all.size() - 3; i >= 0 && kept.size() == 2; i--) {
      RaftSnapshot older = all.get(i);
      if (kept.get(0).position() > neededPosition && older.position() <= neededPosition) {
        kept.add(0, older);
        logPosition = older.position();
      }
    }
    return new RetentionHold(kept, logPosition);
  }

  /** The snapshots of a list that are not kept. */
  List<RaftSnapshot> others(List<RaftSnapshot> all) {
    return all.stream().filter(one -> !snapshots.contains(one)).toList();
  }

  /**
   * Whether a snapshot's recording is still needed: it belongs to a kept snapshot, or is newer and
   * may belong to an unfinished one.
   */
  boolean needs(long recording) {
    long newest = snapshots.isEmpty() ? -1 : snapshots.get(snapshots.size() - 1).firstRecording();
    return recording >= newest || snapshots.stream().anyMatch(each -> each.isIn(recording));
  }
}
