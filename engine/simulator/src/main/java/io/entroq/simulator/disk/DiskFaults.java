package io.entroq.simulator.disk;

import java.util.function.Predicate;

/**
 * The faults that a disk will inject, and how often it has. Files are named by their absolute
 * paths. One thread.
 */
public final class DiskFaults {
  private final Failing writes = new Failing();
  private final Failing forces = new Failing();
  private final Failing reads = new Failing();
  private long operations;
  private long fatalOperation;
  private boolean isInTheMiddle;
  private long deaths;
  private long refusals;
  private long forcesOmitted;
  private long forcesRepeated;

  DiskFaults() {}

  /** The number of calls to the disk so far, not counting pure path operations. */
  public long operations() {
    return operations;
  }

  /**
   * Kills the process that makes one of the next calls, or the first later call that does not fail
   * anyway. Replaces an earlier order. If the process dies otherwise, the order waits for the next
   * process.
   *
   * @param calls counted from now, 1 for the next
   * @param inTheMiddle whether half of a write, and any other operation, is done; else nothing is
   */
  public void dieIn(long calls, boolean inTheMiddle) {
    fatalOperation = operations + calls;
    isInTheMiddle = inTheMiddle;
  }

  /** Makes the next writes to these files fail. Replaces an earlier order. */
  public void failWrites(Predicate<String> files, int times) {
    writes.arm(files, times);
  }

  /**
   * Makes the next forces of these files and directories fail. A later force by the same process
   * then returns and writes nothing, as a kernel does not retry a failed force.
   */
  public void failForces(Predicate<String> files, int times) {
    forces.arm(files, times);
  }

  /** Makes the next reads of these files fail. Replaces an earlier order. */
  public void failReads(Predicate<String> files, int times) {
    reads.arm(files, times);
  }

  /** Cancels all orders. */
  public void disarm() {
    fatalOperation = 0;
    writes.left = 0;
    forces.left = 0;
    reads.left = 0;
  }

  /** Processes that died at a call. */
  public long deaths() {
    return deaths;
  }

  public long failedWrites() {
    return writes.failed;
  }

  public long failedForces() {
    return forces.failed;
  }

  public long failedReads() {
    return reads.failed;
  }

  /** Writes without enough free space. */
  public long refusals() {
    return refusals;
  }

  /** Forces that did nothing because the disk was lying. */
  public long forcesOmitted() {
    return forcesOmitted;
  }

  /** Forces that did nothing because an earlier one of the same process had failed. */
  public long forcesRepeated() {
    return forcesRepeated;
  }

  /** Counts a call; true if it kills its process. */
  boolean isFatal() {
    operations++;
    return fatalOperation != 0 && operations >= fatalOperation;
  }

  void onDeath() {
    deaths++;
    fatalOperation = 0;
  }

  boolean isInTheMiddle() {
    return isInTheMiddle;
  }

  boolean isWriteFailing(String file) {
    return writes.isHit(file);
  }

  boolean isForceFailing(String file) {
    return forces.isHit(file);
  }

  boolean isReadFailing(String file) {
    return reads.isHit(file);
  }

  void onRefused() {
    refusals++;
  }

  void onForceOmitted() {
    forcesOmitted++;
  }

  void onForceRepeated() {
    forcesRepeated++;
  }

  private static final class Failing {
    private Predicate<String> files;
    private int left;
    private long failed;

    void arm(Predicate<String> which, int times) {
      files = which;
      left = times;
    }

    boolean isHit(String file) {
      if (left == 0 || !files.test(file)) {
        return false;
      }
      left--;
      failed++;
      return true;
    }
  }
}
