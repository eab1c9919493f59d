package io.entroq.simulator.host;

import io.entroq.simulator.disk.PowerLoss;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * The power of a machine. When it fails, the disk loses unforced data, and more if it has lied. The
 * caller ends the process first. One thread.
 */
final class PowerSupply {
  private final SimulatedDisk disk;
  private final SeededRandom random;
  private final SnapshotWatch snapshots;
  private final LogProgress progress;
  private final ForceWatch forces;
  private final EngineObserver observer;
  private boolean isLying;

  /** Whether the power fails together with the process. */
  private boolean isFailing;

  /** What was really forced when the disk began to lie. */
  private long reallyForced;

  /**
   * @param random decides what is lost
   */
  PowerSupply(
      SimulatedDisk disk,
      SeededRandom random,
      SnapshotWatch snapshots,
      LogProgress progress,
      ForceWatch forces,
      EngineObserver observer) {
    this.disk = disk;
    this.random = random;
    this.snapshots = snapshots;
    this.progress = progress;
    this.forces = forces;
    this.observer = observer;
  }

  /**
   * The power fails.
   *
   * @param incident learns of it
   */
  PowerLoss fail(Incident incident) {
    boolean mayBeRefused = isLying || incident.isRefusedPowerLoss();
    Incident.Backup before = mayBeRefused ? Incident.Backup.of(disk, snapshots, progress) : null;
    LogOnDisk log = LogOnDisk.read(disk);
    observer.onPowerLoss(isLying);
    PowerLoss loss = disk.losePower(random);
    forces.onAllForced();
    if (isLying && loss.isPromiseBroken()) {
      incident.onBrokenPromise(before, Math.min(progress.forced(), reallyForced));
    } else {
      incident.onPowerLoss(before, log);
    }
    return loss;
  }

  /**
   * The power will fail together with the process.
   *
   * @param calls the number of the call to the disk
   * @param inTheMiddle whether half of the call is done
   */
  void failIn(long calls, boolean inTheMiddle) {
    isFailing = true;
    disk.faults().dieIn(calls, inTheMiddle);
  }

  /** Whether the power fails together with the process. */
  boolean isFailing() {
    return isFailing;
  }

  /** Cancels {@link #failIn}. */
  void disarm() {
    isFailing = false;
  }

  /**
   * From now on the disk falsely reports data as forced.
   *
   * @param forced the newest record that is really forced
   */
  void lie(long forced) {
    if (!isLying) {
      reallyForced = forced;
    }
    isLying = true;
    disk.lie(true);
  }

  /** The disk stops lying. */
  void endLie() {
    isLying = false;
    disk.lie(false);
  }

  boolean isLying() {
    return isLying;
  }

  /** An engine has recovered up to this record; later ones were not forced before the lie. */
  void onFound(long sequence) {
    reallyForced = Math.min(reallyForced, sequence);
  }
}
