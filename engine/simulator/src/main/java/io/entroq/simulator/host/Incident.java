package io.entroq.simulator.host;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.disk.DiskImage;
import io.entroq.simulator.disk.SimulatedDisk;

/**
 * What happened to a directory since an engine last had it open, and so what the next opening must
 * find. One thread.
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
   * A process has ended, and no more.
   *
   * @param progress how far the log had come then
   * @param isUnforced whether replies do not wait for forces, so that a hole in the log is refused
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
   * A file is not as it was, for another reason than that the power has failed.
   *
   * @param backup of what was there before
   * @param isMarked whether the mark of an orderly end is there and names the last record
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

  /** Whether a loss of power may leave what must not be opened. */
  boolean isRefusedPowerLoss() {
    return isUnforced || isDamaged || snapshots.isUnsure();
  }

  /**
   * The power has failed, and the disk has kept all that it had said was forced.
   *
   * @param backup of what was there before; null unless a loss may be refused
   * @param log what was there of the log before
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
   * The power has failed, and something is lost that the disk had said was forced.
   *
   * @param backup of what was there before
   * @param reallyForced the newest record that was forced in truth
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

  /** Whether what is there is such that an engine may not open it. */
  boolean mayBeRefused() {
    return before != null;
  }

  /**
   * An engine has opened it.
   *
   * @param sequence the newest record that it has found
   * @throws Violation if that is not enough
   */
  void requireFound(long sequence) {
    if (sequence < least) {
      throw (isDamaged ? Invariant.DAMAGE_NEVER_SERVED : Invariant.OPEN_FINDS_END)
          .broken(
              "@" + (sequence + 1), "refused, or all up to @" + least, "found up to @" + sequence);
    }
  }

  /**
   * Has on the disk what was there before that, and all the doubts about it end; only where it may
   * be refused.
   */
  void undo() {
    before.restore(disk, snapshots, progress);
    before = null;
    least = last;
    isDamaged = false;
  }

  /**
   * What an operator puts back where an engine refuses to open: the disk as it was before something
   * happened to it, and what was known of it by then.
   *
   * @param marked which record the mark of an orderly end named
   */
  record Backup(DiskImage image, SnapshotWatch.SuspectFiles suspects, long marked) {
    /** Of what is there now. */
    static Backup of(SimulatedDisk disk, SnapshotWatch snapshots, LogProgress progress) {
      return new Backup(disk.image(), snapshots.suspects(), progress.marked());
    }

    /** Has it there again. Not while a process lives. */
    void restore(SimulatedDisk disk, SnapshotWatch snapshots, LogProgress progress) {
      disk.restore(image);
      snapshots.onRestored(suspects);
      progress.onRestored(marked);
    }
  }
}
