package io.entroq.system.member;

import io.entroq.cluster.member.ClusterMember;
import io.entroq.cluster.mirror.MirrorState;
import io.entroq.cluster.mirror.MirrorStats;
import io.entroq.cluster.retention.RetentionStats;

/**
 * The data that a member retains.
 *
 * @param snapshots on its disk
 * @param logBytesHeld of the cluster's log, on its disk
 * @param logBytesFreed of that log since its start
 * @param disagreements snapshots that differed from those of other members, since its start
 * @param mirror the state of its mirror
 * @param mirrorSequence the last record in the mirror
 */
public record RetainedData(
    int snapshots,
    long logBytesHeld,
    long logBytesFreed,
    long disagreements,
    MirrorState mirror,
    long mirrorSequence) {
  static RetainedData of(ClusterMember member) {
    RetentionStats retention = member.retention();
    MirrorStats mirror = member.mirror();
    return new RetainedData(
        retention.snapshotsHeld(),
        retention.logBytesHeld(),
        retention.logBytesFreed(),
        retention.divergences(),
        mirror.state(),
        mirror.writtenSequence());
  }

  String text() {
    return "%d %d %d %d %s %d"
        .formatted(snapshots, logBytesHeld, logBytesFreed, disagreements, mirror, mirrorSequence);
  }

  /** The reverse of {@link #text}. */
  static RetainedData read(String text) {
    String[] words = text.split(" ", -1);
    return new RetainedData(
        Integer.parseInt(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        MirrorState.valueOf(words[4]),
        Long.parseLong(words[5]));
  }
}
