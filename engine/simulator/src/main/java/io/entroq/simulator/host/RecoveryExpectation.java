package io.entroq.simulator.host;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.disk.SimulatedDisk;

/**
 * What an engine must make of a directory, judged by what is in it: which record it must recover,
 * and whether it must refuse to open.
 *
 * @param least the newest record that must be found by whoever opens it
 * @param mustBeRefused whether something is missing of which there is proof
 */
record RecoveryExpectation(long least, boolean mustBeRefused) {
  /**
   * After something was damaged. What is missing shows by the records behind it, as far as they say
   * that it was on the disk; by the names of runs and snapshots; and by the mark of a log that was
   * closed. Without any of these it looks like an end that was never finished, and is cut off.
   *
   * @param base the newest snapshot that is good; 0 if none is
   * @param last the newest record that was there before
   * @param isMarked whether the mark of an orderly end is there and names that record
   * @param isHoleRefused whether any record behind what is missing is proof, as at durability OS
   */
  static RecoveryExpectation afterDamage(
      SimulatedDisk disk, long base, long last, boolean isMarked, boolean isHoleRefused) {
    LogOnDisk log = LogOnDisk.read(disk);
    long whole = log.lastWhole(base);
    boolean isMissed =
        whole < last
            && (isMarked
                || log.reportsForced(whole + 1)
                || SnapshotNames.newest(disk) > whole
                || (isHoleRefused && log.hasFrom(whole + 1)));
    return new RecoveryExpectation(isMissed ? last : whole, isMissed || !log.isBeginning(base));
  }

  /**
   * After a loss of power on a disk that does not lie. What anything says was on the disk has to be
   * there; so only a log that is not forced may be refused, and only for a hole, of which nobody
   * can tell what was in it.
   *
   * @param before what was there of the log before: an engine may have passed over damage in front
   *     of the newest snapshot, which power has not taken then
   * @param base the newest snapshot; 0 if there is none
   * @param isHoleRefused whether records behind what is missing let an engine refuse, as at
   *     durability OS
   * @throws Violation if something that is there says more than is true
   */
  static RecoveryExpectation afterPowerLoss(
      SimulatedDisk disk, LogOnDisk before, long base, boolean isHoleRefused) {
    LogOnDisk log = LogOnDisk.read(disk);
    long whole = log.lastWhole(base);
    Invariant.FORCED_IS_THERE.require(
        !log.reportsForced(whole + 1) && SnapshotNames.newest(disk) <= whole,
        "@" + (whole + 1),
        "there, as a record, a run or a snapshot says that it was on the disk",
        "lost with the power");
    Invariant.FORCED_IS_THERE.require(
        whole == 0 || log.isBeginning(base) || !before.isBeginning(base),
        "the log behind @" + base,
        "there, as a snapshot rests on it",
        "lost with the power");
    return new RecoveryExpectation(whole, isHoleRefused && log.hasFrom(whole + 1));
  }
}
