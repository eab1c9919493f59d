package io.entroq.cluster.service;

import io.aeron.cluster.service.SnapshotDurationTracker;
import io.entroq.engine.maintenance.SnapshotStats;

/**
 * Counts snapshots, and measures their pause and size. The service container reports the start and
 * end of its part, in which it connects to the archive, sends the state, and waits until it is
 * recorded, or fails. Then the consensus module adds its own part; only after that the snapshot is
 * complete. Any thread.
 */
final class SnapshotMeter extends SnapshotDurationTracker {
  private long begun;
  private long startNs;
  private long sentSequence;
  private long sentBytes;
  private SnapshotStats stats = SnapshotStats.NONE;

  /** Without Aeron's own counters. */
  SnapshotMeter() {
    super(null, null, Long.MAX_VALUE);
  }

  /** The member has started with a snapshot. */
  synchronized void onLoaded(long sequence, long bytes) {
    stats = new SnapshotStats(0, 0, sequence, bytes, 0, 0, 0, 0);
  }

  @Override
  public synchronized void onSnapshotBegin(long timeNanos) {
    begun++;
    startNs = timeNanos;
  }

  /** The whole state has been sent to the archive, which may still fail to record it. */
  synchronized void onSent(long sequence, long bytes) {
    sentSequence = sequence;
    sentBytes = bytes;
  }

  /** Commands continue after the snapshot's success or failure. */
  @Override
  public synchronized void onSnapshotEnd(long timeNanos) {
    long pauseNs = timeNanos - startNs;
    stats =
        new SnapshotStats(
            stats.taken(),
            stats.failed(),
            stats.sequence(),
            stats.bytes(),
            pauseNs,
            Math.max(pauseNs, stats.pauseMaxNs()),
            pauseNs / 1_000_000,
            stats.logBytesFreed());
  }

  synchronized long begun() {
    return begun;
  }

  /**
   * Updates the statistics while no snapshot is in progress.
   *
   * @param begunBefore number of snapshots begun before that was found
   * @param complete how many of these are complete, including the consensus module's part
   */
  synchronized void settle(long begunBefore, long complete) {
    boolean isNew = complete > stats.taken();
    stats =
        new SnapshotStats(
            complete,
            Math.max(0, begunBefore - complete),
            isNew ? sentSequence : stats.sequence(),
            isNew ? sentBytes : stats.bytes(),
            stats.pauseNs(),
            stats.pauseMaxNs(),
            stats.writeMs(),
            stats.logBytesFreed());
  }

  synchronized SnapshotStats stats() {
    return stats;
  }
}
