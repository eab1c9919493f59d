package io.entroq.simulator.host;

import io.entroq.simulator.disk.PowerLoss;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * The power of a machine, and what its disk loses when it fails: what was not forced, and more if
 * the disk has lied. The caller ends the process first. One thread.
 */
final class PowerSupply {
  private final SimulatedDisk disk;
  private final SeededRandom random;
  private final SnapshotWatch snapshots;
  private final LogProgress progress;
  private final ForceWatch forces;
  private final EngineObserver observer;
  private boolean isLying;

  /** Whether it fails where the process dies at the disk. */
  private boolean isFailing;

  /** What was forced when the disk began to lie. */
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
   * It fails.
   *
   * @param incident hears of it
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
   * It is to fail together with the process.
   *
   * @param calls at which call to the disk
   * @param inTheMiddle whether half of that call is done
   */
  void failIn(long calls, boolean inTheMiddle) {
    isFailing = true;
    disk.faults().dieIn(calls, inTheMiddle);
  }

  /** Whether it fails where the process dies at the disk. */
  boolean isFailing() {
    return isFailing;
  }

  /** It is not to fail any more. */
  void disarm() {
    isFailing = false;
  }

  /**
   * From now on what is said to be forced may be lost with it.
   *
   * @param forced the newest record that is forced by now
   */
  void lie(long forced) {
    if (!isLying) {
      reallyForced = forced;
    }
    isLying = true;
    disk.lie(true);
  }

  /** From now on the disk keeps what it says. */
  void endLie() {
    isLying = false;
    disk.lie(false);
  }

  /** Whether the disk says what is not so. */
  boolean isLying() {
    return isLying;
  }

  /** What comes behind this record was not there when the disk began to lie. */
  void onFound(long sequence) {
    reallyForced = Math.min(reallyForced, sequence);
  }
}
