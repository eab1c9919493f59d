package io.entroq.simulator.host;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.disk.SimulatedDisk;

/**
 * What an engine must do with a directory, judged by its content.
 *
 * @param least the newest record that must be recovered
 * @param mustBeRefused whether something is provably missing
 */
record RecoveryExpectation(long least, boolean mustBeRefused) {
  /**
   * After damage. Missing records are proved by later records that report them as forced, by the
   * names of runs and snapshots, and by the mark of a clean close. Without a proof, they look like
   * a torn tail and are cut off.
   *
   * @param base the newest good snapshot; 0 if there is none
   * @param last the newest record before the damage
   * @param isMarked whether the mark of a clean close exists and names that record
   * @param isHoleRefused whether any later record is a proof, as with durability OS
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
   * After a power loss on a disk that does not lie. Everything reported as forced must exist, so an
   * engine may refuse only an unforced log, and only for a hole.
   *
   * @param before the log before the loss: an engine may have ignored damage below the newest
   *     snapshot, which the power loss did not cause
   * @param base the newest snapshot; 0 if there is none
   * @param isHoleRefused whether records after a hole make an engine refuse, as with durability OS
   * @throws Violation if something on the disk reports too much as forced
   */
  static RecoveryExpectation afterPowerLoss(
      SimulatedDisk disk, LogOnDisk before, long base, boolean isHoleRefused) {
    LogOnDisk log = LogOnDisk.read(disk);
    long whole = log.lastWhole(base);
    Invariant.FORCED_IS_THERE.require(
        !log.reportsForced(whole + 1) && SnapshotNames.newest(disk) <= whole,
        "@" + (whole + 1),
        "there, as a record, a run or a snapshot proves that it was on the disk",
        "lost with the power");
    Invariant.FORCED_IS_THERE.require(
        whole == 0 || log.isBeginning(base) || !before.isBeginning(base),
        "the log after @" + base,
        "there, as a snapshot depends on it",
        "lost with the power");
    return new RecoveryExpectation(whole, isHoleRefused && log.hasFrom(whole + 1));
  }
}
