package io.entroq.engine.maintenance;

/**
 * Statistics of snapshots since the engine was opened.
 *
 * @param taken number of completed snapshots
 * @param failed number of failed snapshots
 * @param sequence sequence of the newest good snapshot; 0 if there is none
 * @param bytes its size
 * @param pauseNs how long the last snapshot paused commands, in nanoseconds
 * @param pauseMaxNs the longest such pause, in nanoseconds
 * @param writeMs how long the last snapshot was written in the background, in milliseconds
 * @param logBytesFreed bytes of segments removed because of snapshots or a disk with little room
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

  SnapshotStats withLogBytesFreed(long freed) {
    return new SnapshotStats(taken, failed, sequence, bytes, pauseNs, pauseMaxNs, writeMs, freed);
  }
}
