package io.entroq.simulator.host;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.disk.DiskImage;
import io.entroq.simulator.disk.SimulatedDisk;

/**
 * What happened to a directory since its last engine ended, and so what the next engine must find.
 * One thread.
 */
final class Incident {
  private final SimulatedDisk disk;
  private final SnapshotWatch snapshots;
  private final LogProgress progress;
  private final boolean isUnforced;
  private final long last;
  private final long forced;
  private long least;
  private boolean isDamaged;
  private Backup before;

  /**
   * A process has ended, and nothing else has happened.
   *
   * @param progress of the log until then
   * @param isUnforced whether replies do not wait for forces, so that an engine refuses a hole
   */
  Incident(SimulatedDisk disk, SnapshotWatch snapshots, LogProgress progress, boolean isUnforced) {
    this.disk = disk;
    this.snapshots = snapshots;
    this.progress = progress;
    this.isUnforced = isUnforced;
    this.last = progress.appended();
    this.forced = progress.forced();
    this.least = last;
  }

  /**
   * A file has been damaged, not by a power loss.
   *
   * @param backup from before the damage
   * @param isMarked whether the mark of a clean close exists and names the last record
   */
  void onDamage(Backup backup, boolean isMarked) {
    isDamaged = true;
    expect(
        RecoveryExpectation.afterDamage(disk, snapshots.base(), last, isMarked, isUnforced),
        backup);
    if (snapshots.isUnsure()) {
      mayBeRefused(backup);
    }
  }

  /** Whether a power loss may leave a directory that an engine must refuse. */
  boolean isRefusedPowerLoss() {
    return isUnforced || isDamaged || snapshots.isUnsure();
  }

  /**
   * The power has failed, and the disk has kept everything that it reported as forced.
   *
   * @param backup from before the loss; null unless an engine may refuse the directory
   * @param log the log before the loss
   */
  void onPowerLoss(Backup backup, LogOnDisk log) {
    if (isDamaged) {
      onDamage(backup, false);
    } else if (snapshots.isUnsure()) {
      least = Math.min(least, forced);
      mayBeRefused(backup);
    } else if (before == null) {
      RecoveryExpectation next =
          RecoveryExpectation.afterPowerLoss(disk, log, snapshots.base(), isUnforced);
      expect(new RecoveryExpectation(Math.max(next.least(), forced), next.mustBeRefused()), backup);
    }
  }

  /**
   * The power has failed, and data that the disk had reported as forced is lost.
   *
   * @param backup from before the loss
   * @param reallyForced the newest record that was really forced
   */
  void onBrokenPromise(Backup backup, long reallyForced) {
    least = Math.min(least, reallyForced);
    mayBeRefused(backup);
    snapshots.onAnyDamage();
  }

  private void expect(RecoveryExpectation next, Backup backup) {
    least = Math.min(least, next.least());
    if (next.mustBeRefused()) {
      mayBeRefused(backup);
    }
  }

  private void mayBeRefused(Backup backup) {
    if (before == null) {
      before = backup;
    }
  }

  /** The newest record that must be found. */
  long least() {
    return least;
  }

  /** Whether an engine may refuse the directory. */
  boolean mayBeRefused() {
    return before != null;
  }

  /**
   * An engine has opened the directory.
   *
   * @param sequence the newest record that it has found
   * @throws Violation if records are missing
   */
  void requireFound(long sequence) {
    if (sequence < least) {
      throw (isDamaged ? Invariant.DAMAGE_NEVER_SERVED : Invariant.OPEN_FINDS_END)
          .broken(
              "@" + (sequence + 1), "refused, or all up to @" + least, "found up to @" + sequence);
    }
  }

  /** Restores the disk to its state before the damage; only if an engine may refuse it. */
  void undo() {
    before.restore(disk, snapshots, progress);
    before = null;
    least = last;
    isDamaged = false;
  }

  /**
   * What an operator restores if an engine refuses to open: the disk before the damage, and what
   * was known about it.
   *
   * @param marked the record in the mark of a clean close
   */
  record Backup(DiskImage image, SnapshotWatch.SuspectFiles suspects, long marked) {
    /** A backup of the current state. */
    static Backup of(SimulatedDisk disk, SnapshotWatch snapshots, LogProgress progress) {
      return new Backup(disk.image(), snapshots.suspects(), progress.marked());
    }

    /** Restores the backup. Not while a process lives. */
    void restore(SimulatedDisk disk, SnapshotWatch snapshots, LogProgress progress) {
      disk.restore(image);
      snapshots.onRestored(suspects);
      progress.onRestored(marked);
    }
  }
}
