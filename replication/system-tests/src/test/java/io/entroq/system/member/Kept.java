package io.entroq.system.member;

import io.entroq.cluster.member.ClusterMember;
import io.entroq.cluster.mirror.MirrorState;
import io.entroq.cluster.mirror.MirrorStats;
import io.entroq.cluster.retention.RetentionStats;

/**
 * What a member says of what it keeps.
 *
 * @param snapshots that it has on its disk
 * @param logBytesHeld of the cluster's log, on its disk
 * @param logBytesFreed of that, since it was started
 * @param disagreements in how many snapshots it found other states of other members, likewise
 * @param mirror what its mirror is at
 * @param mirrorSequence the last record that is written to that
 */
public record Kept(
    int snapshots,
    long logBytesHeld,
    long logBytesFreed,
    long disagreements,
    MirrorState mirror,
    long mirrorSequence) {
  static Kept of(ClusterMember member) {
    RetentionStats retention = member.retention();
    MirrorStats mirror = member.mirror();
    return new Kept(
        retention.snapshotsHeld(),
        retention.logBytesHeld(),
        retention.logBytesFreed(),
        retention.divergences(),
        mirror.state(),
        mirror.writtenSequence());
  }

  /** For one line. */
  String text() {
    return "%d %d %d %d %s %d"
        .formatted(snapshots, logBytesHeld, logBytesFreed, disagreements, mirror, mirrorSequence);
  }

  /** What {@link #text} has said. */
  static Kept read(String text) {
    String[] words = text.split(" ", -1);
    return new Kept(
        Integer.parseInt(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        MirrorState.valueOf(words[4]),
        Long.parseLong(words[5]));
  }
}
