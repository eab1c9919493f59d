package io.entroq.simulator.host;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.disk.SimulatedDisk;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.LongPredicate;

/**
 * Checks snapshots: each gets its name only when the log up to it is on the disk, and an engine
 * starts from the newest undamaged one. One thread.
 */
final class SnapshotWatch {
  private final SimulatedDisk disk;

  private SuspectFiles suspects = SuspectFiles.NONE;

  /** The newest good snapshot when the engine was opened. */
  private long newest;

  /** The newest snapshot when the engine was opened, good or not. */
  private long newestNamed;

  private long readsFailed;

  /** The newest snapshot whose log was checked. */
  private long checked;

  private Runnable atNext = () -> {};

  SnapshotWatch(SimulatedDisk disk) {
    this.disk = disk;
  }

  /** A file of a snapshot was damaged. */
  void onDamage(String path) {
    suspects = suspects.withSnapshots(Set.of(SnapshotNames.sequence(path)));
  }

  /** The log was damaged somewhere up to this record. */
  void onLogDamage(long lastSequence) {
    suspects = suspects.withLogTo(lastSequence);
  }

  void onAnyDamage() {
    suspects = suspects.withSnapshots(SnapshotNames.all(disk));
  }

  private boolean isLogWhole(SortedSet<Long> all) {
    return suspects.logTo() == 0 || (!all.isEmpty() && all.first() > suspects.logTo());
  }

  /** Whether an existing snapshot is damaged, so that the engine keeps more files. */
  boolean isAnyDamaged() {
    return SnapshotNames.all(disk).stream().anyMatch(suspects::contains);
  }

  /**
   * Whether a failed read in this opening may have made the engine use damaged files that it would
   * not have needed.
   */
  boolean isReadFatal() {
    SortedSet<Long> all = SnapshotNames.all(disk);
    boolean isAllGood = isLogWhole(all) && all.stream().noneMatch(suspects::contains);
    return disk.faults().failedReads() != readsFailed && !isAllGood;
  }

  /** Whether the log or a snapshot may be damaged. */
  boolean isAnythingSuspect() {
    return !suspects.equals(SuspectFiles.NONE);
  }

  /** The files that may be damaged. */
  SuspectFiles suspects() {
    return suspects;
  }

  /** The disk was restored to when only these files were suspect. */
  void onRestored(SuspectFiles before) {
    suspects = before;
  }

  /** Whether there are snapshots, but none known to be good. */
  boolean isUnsure() {
    return newestGood() == 0 && SnapshotNames.newest(disk) > 0;
  }

  /** The snapshot that an engine must start from; the newest if none is known to be good. */
  long base() {
    return isUnsure() ? SnapshotNames.newest(disk) : newestGood();
  }

  /**
   * A snapshot may have been written.
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

  /** Sets the action to run after this engine's next snapshot. */
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

  /** The newest undamaged snapshot; 0 if there is none. */
  private long newestGood() {
    long good = 0;
    for (long each : SnapshotNames.all(disk)) {
      good = suspects.contains(each) ? good : Math.max(good, each);
    }
    return good;
  }

  /**
   * The engine is open.
   *
   * @param used the record of the snapshot that it started from
   * @param found the last record that it recovered
   */
  void onOpened(long used, long found) {
    // The names of removed snapshots may come back.
    SortedSet<Long> all = SnapshotNames.all(disk);
    // The used snapshot was read, so it is good.
    suspects = suspects.onlySnapshots(each -> each != used && all.contains(each));
    // Later records are new.
    suspects = suspects.withLogTo(Math.min(suspects.logTo(), found));
    // The name of a snapshot proves that the log reached it, even if it cannot be read.
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
   * Files that may be damaged.
   *
   * @param snapshots records of snapshots that may be damaged
   * @param logTo the log may be damaged up to this record; 0: it is not
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

    /** These files without the snapshots that do not match. */
    SuspectFiles onlySnapshots(LongPredicate which) {
      Set<Long> left = new HashSet<>(snapshots);
      left.removeIf(each -> !which.test(each));
      return new SuspectFiles(left, logTo);
    }

    SuspectFiles withLogTo(long sequence) {
      return new SuspectFiles(snapshots, sequence);
    }

    /** Whether the snapshot at this record may be damaged. */
    boolean contains(long snapshot) {
      return snapshots.contains(snapshot);
    }
  }
}
