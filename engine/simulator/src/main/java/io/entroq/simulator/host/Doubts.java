package io.entroq.simulator.host;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * What nobody can rely on any more, of what was on the disk.
 *
 * @param snapshots by their records: those of which nobody knows what is left
 * @param logTo what the log holds up to this record need not be all there, though nobody has missed
 *     it; 0: it is
 */
record Doubts(Set<Long> snapshots, long logTo) {
  static final Doubts NONE = new Doubts(Set.of(), 0);

  Doubts {
    snapshots = Set.copyOf(snapshots);
  }

  Doubts withSnapshots(Collection<Long> more) {
    Set<Long> all = new HashSet<>(snapshots);
    all.addAll(more);
    return new Doubts(all, logTo);
  }

  /** These, but for the snapshots that are not such. */
  Doubts onlySnapshots(LongPredicate which) {
    Set<Long> left = new HashSet<>(snapshots);
    left.removeIf(each -> !which.test(each));
    return new Doubts(left, logTo);
  }

  Doubts withLogTo(long sequence) {
    return new Doubts(snapshots, sequence);
  }

  /** Whether they are about the snapshot at this record. */
  boolean concern(long snapshot) {
    return snapshots.contains(snapshot);
  }
}
