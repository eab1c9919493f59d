package io.entroq.engine.maintenance;

/**
 * What became of snapshots since the engine was opened.
 *
 * @param taken how many were finished
 * @param failed how many were begun and could not be finished
 * @param sequence of the newest good one, 0 if there is none
 * @param bytes its size
 * @param pauseNs for how long commands stood still for the last one, in nanoseconds
 * @param pauseMaxNs the same, the longest
 * @param writeMs how long writing the last one took, beside the commands, in milliseconds
 * @param logBytesFreed bytes of segments that they have let go
 */
public record SnapshotStats(
    long taken,
    long failed,
    long sequence,
    long bytes,
    long pauseNs,
    long pauseMaxNs,
    long writeMs,
    long logBytesFreed) {
  /** Before the first. */
  public static final SnapshotStats NONE = new SnapshotStats(0, 0, 0, 0, 0, 0, 0, 0);
}
