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
record SuspectFiles(Set<Long> snapshots, long logTo) {
  static final SuspectFiles NONE = new SuspectFiles(Set.of(), 0);

  SuspectFiles {
    snapshots = Set.copyOf(snapshots);
  }

  SuspectFiles withSnapshots(Collection<Long> more) {
    Set<Long> all = new HashSet<>(snapshots);
    all.addAll(more);
    return new SuspectFiles(all, logTo);
  }

  /** These, but for the snapshots that are not such. */
  SuspectFiles onlySnapshots(LongPredicate which) {
    Set<Long> left = new HashSet<>(snapshots);
    left.removeIf(each -> !which.test(each));
    return new SuspectFiles(left, logTo);
  }

  SuspectFiles withLogTo(long sequence) {
    return new SuspectFiles(snapshots, sequence);
  }

  /** Whether they are about the snapshot at this record. */
  boolean concern(long snapshot) {
    return snapshots.contains(snapshot);
  }
}
