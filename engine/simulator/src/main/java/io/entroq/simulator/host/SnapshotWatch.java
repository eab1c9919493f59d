package io.entroq.simulator.host;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.disk.SimulatedDisk;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.LongPredicate;

/**
 * Checks that snapshots can be relied on: each gets its name only when the log is on the disk up to
 * it, and an engine starts from the newest undamaged one. One thread.
 */
final class SnapshotWatch {
  private final SimulatedDisk disk;

  private SuspectFiles suspects = SuspectFiles.NONE;

  /** The newest good one when an engine is opened. */
  private long newest;

  /** The newest one, whatever is left of it. */
  private long newestNamed;

  private long readsFailed;

  /** The newest of which it is known what it rests on. */
  private long checked;

  private Runnable atNext = () -> {};

  SnapshotWatch(SimulatedDisk disk) {
    this.disk = disk;
  }

  /** A file of a snapshot is not as it was. */
  void onDamage(String path) {
    suspects = suspects.withSnapshots(Set.of(SnapshotNames.sequence(path)));
  }

  /** Something is wrong with the log, which has come so far. */
  void onLogDamage(long lastSequence) {
    suspects = suspects.withLogTo(lastSequence);
  }

  /** Any of them may not be as it was. */
  void onAnyDamage() {
    suspects = suspects.withSnapshots(SnapshotNames.all(disk));
  }

  private boolean isLogWhole(SortedSet<Long> all) {
    return suspects.logTo() == 0 || (!all.isEmpty() && all.first() > suspects.logTo());
  }

  /** Whether any that is there is damaged: then more is kept than would be otherwise. */
  boolean isAnyDamaged() {
    return SnapshotNames.all(disk).stream().anyMatch(suspects::concern);
  }

  /**
   * Whether a read that has failed in this opening can have brought the engine to something that is
   * damaged, and that it would have had no need of.
   */
  boolean isReadFatal() {
    SortedSet<Long> all = SnapshotNames.all(disk);
    boolean isAllGood = isLogWhole(all) && all.stream().noneMatch(suspects::concern);
    return disk.faults().failedReads() != readsFailed && !isAllGood;
  }

  /** What is in doubt now. */
  SuspectFiles suspects() {
    return suspects;
  }

  /** Everything is as it was when no more than this was in doubt. */
  void onRestored(SuspectFiles before) {
    suspects = before;
  }

  /** Whether there are snapshots, and none of which it is known that it is good. */
  boolean isUnsure() {
    return newestGood() == 0 && SnapshotNames.newest(disk) > 0;
  }

  /** The one from which an engine is to start; the newest if it is not known of any. */
  long base() {
    return isUnsure() ? SnapshotNames.newest(disk) : newestGood();
  }

  /**
   * Something may have been written.
   *
   * @param ends of the records of this life
   */
  void onMaintenance(RecordEnds ends) {
    long named = SnapshotNames.newest(disk);
    if (named > checked && !disk.isLying()) {
      Invariant.SNAPSHOT_RESTS_ON_LOG.require(
          ends.isForced(disk, named),
          "the snapshot at @" + named,
          "all of the log up to it on the disk",
          "some of it in memory only");
      checked = named;
      Runnable now = atNext;
      atNext = () -> {};
      now.run();
    }
  }

  /** Something is to happen when this engine has taken its next snapshot, and nothing else. */
  void atNext(Runnable what) {
    atNext = what;
  }

  /** An engine is about to be opened. */
  void onOpening() {
    newest = newestGood();
    newestNamed = SnapshotNames.newest(disk);
    checked = newestNamed;
    atNext = () -> {};
    readsFailed = disk.faults().failedReads();
  }

  /** The newest that nobody has damaged; 0 if there is none. */
  private long newestGood() {
    long good = 0;
    for (long each : SnapshotNames.all(disk)) {
      good = suspects.concern(each) ? good : Math.max(good, each);
    }
    return good;
  }

  /**
   * It is open.
   *
   * @param used the record of the snapshot that it has started from
   * @param found the last record that it has found
   */
  void onOpened(long used, long found) {
    // Of those that are gone the names may come back.
    SortedSet<Long> all = SnapshotNames.all(disk);
    // Of which it was not known what was left of it after a lie; it has been read now.
    suspects = suspects.onlySnapshots(each -> each != used && all.contains(each));
    // What comes behind that is new.
    suspects = suspects.withLogTo(Math.min(suspects.logTo(), found));
    // Its name says that the log was there, though nothing in it can be read.
    Invariant.DAMAGE_NEVER_SERVED.require(
        found >= newestNamed,
        "the snapshot at @" + newestNamed,
        "a log that reaches as far",
        "it ends with @" + found);
    boolean isRead = disk.faults().failedReads() == readsFailed;
    Invariant.GOOD_SNAPSHOT_USED.require(
        used >= newest || !isRead,
        "the snapshot at @" + newest,
        "the engine starts from it",
        "it starts from @" + used);
  }

  /**
   * What nobody can rely on any more, of what was on the disk.
   *
   * @param snapshots by their records: those of which nobody knows what is left
   * @param logTo what the log holds up to this record need not be all there, though nobody has
   *     missed it; 0: it is
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
}
