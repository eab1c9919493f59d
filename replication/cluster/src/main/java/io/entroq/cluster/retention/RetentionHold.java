package io.entroq.cluster.retention;

import java.util.ArrayList;
import java.util.List;

/**
 * What of a member's own it keeps: the two newest snapshots, so that there is another one should
 * the newest not be good; the newest of those that all have, should nobody agree on later ones; and
 * the log from the oldest of these on.
 *
 * @param snapshots oldest first
 * @param logPosition from where on the log is kept
 */
record RetentionHold(List<RaftSnapshot> snapshots, long logPosition) {
  /**
   * @param all that there are, oldest first
   * @param neededPosition from where on others need the log
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

  /** Those of all that are not among them. */
  List<RaftSnapshot> others(List<RaftSnapshot> all) {
    return all.stream().filter(one -> !snapshots.contains(one)).toList();
  }

  /**
   * Whether a recording of a snapshot is of use: those of the snapshots that are kept, and all that
   * are younger, which may be of one that is not complete yet.
   */
  boolean needs(long recording) {
    long newest = snapshots.isEmpty() ? -1 : snapshots.get(snapshots.size() - 1).firstRecording();
    return recording >= newest || snapshots.stream().anyMatch(each -> each.isIn(recording));
  }
}
