package io.entroq.simulator.disk;

import java.util.function.Predicate;

/**
 * What a disk is told to do wrong, and how often it has. Files are named by their absolute paths.
 * One thread.
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

  /** Every call of a process that the disk has something to do for: all but those on paths. */
  public long operations() {
    return operations;
  }

  /**
   * Lets the process that makes one of the next calls die of it, or of the first behind it that
   * does not fail anyway. It takes the place of what was said before; what has not happened when
   * the process dies otherwise waits for the next one.
   *
   * @param calls from now on, 1 for the next
   * @param inTheMiddle whether half of what is to be written is, and everything else is done; else
   *     nothing is
   */
  public void dieIn(long calls, boolean inTheMiddle) {
    fatalOperation = operations + calls;
    isInTheMiddle = inTheMiddle;
  }

  /** Lets as many of the next writes to these files fail. It takes the place of the last call. */
  public void failWrites(Predicate<String> files, int times) {
    writes.arm(files, times);
  }

  /**
   * Lets as many of the next forces of these files and directories fail. A later force by the same
   * process then returns and writes nothing: a kernel does not try again what has failed.
   */
  public void failForces(Predicate<String> files, int times) {
    forces.arm(files, times);
  }

  /** Lets as many of the next reads of these files fail. It takes the place of the last call. */
  public void failReads(Predicate<String> files, int times) {
    reads.arm(files, times);
  }

  /** Whatever has not happened yet is not to happen. */
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

  /** Writes that found no room, or not enough. */
  public long refusals() {
    return refusals;
  }

  /** Forces that returned without doing anything, as the disk was lying. */
  public long forcesOmitted() {
    return forcesOmitted;
  }

  /** Forces that returned without doing anything, as one of the same process had failed before. */
  public long forcesRepeated() {
    return forcesRepeated;
  }

  /** Another call; true if its process is to die of it. */
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
