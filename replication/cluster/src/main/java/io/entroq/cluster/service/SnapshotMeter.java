package io.entroq.cluster.service;

import io.aeron.cluster.service.SnapshotDurationTracker;
import io.entroq.engine.maintenance.SnapshotStats;

/**
 * What became of snapshots, for how long they hold commands up, and how large they are. The service
 * container tells of beginning and end of its half: between the two it connects to the archive, has
 * the state passed on, and waits until all of it has been recorded, or fails. Then the consensus
 * module adds its own, and only what it has completed is a snapshot. Any thread.
 */
final class SnapshotMeter extends SnapshotDurationTracker {
  private long begun;
  private long beganNs;
  private long passedSequence;
  private long passedBytes;
  private SnapshotStats figures = SnapshotStats.NONE;

  /** Counts for nobody but this member. */
  SnapshotMeter() {
    super(null, null, Long.MAX_VALUE);
  }

  /** One was found, with which this member has begun: it takes as much as the next one will. */
  synchronized void begunWith(long sequence, long bytes) {
    figures = new SnapshotStats(0, 0, sequence, bytes, 0, 0, 0, 0);
  }

  /** One is begun. */
  @Override
  public synchronized void onSnapshotBegin(long timeNanos) {
    begun++;
    beganNs = timeNanos;
  }

  /** All of the state has been passed on, which need not mean that it will be there. */
  synchronized void passedOn(long sequence, long bytes) {
    passedSequence = sequence;
    passedBytes = bytes;
  }

  /** Commands go on, whatever has come of it. */
  @Override
  public synchronized void onSnapshotEnd(long timeNanos) {
    long pauseNs = timeNanos - beganNs;
    figures =
        new SnapshotStats(
            figures.taken(),
            figures.failed(),
            figures.sequence(),
            figures.bytes(),
            pauseNs,
            Math.max(pauseNs, figures.pauseMaxNs()),
            pauseNs / 1_000_000,
            figures.logBytesFreed());
  }

  /** How many have been begun. */
  synchronized long begun() {
    return begun;
  }

  /**
   * Nothing is under way.
   *
   * @param begunBefore how many had been begun when that was found
   * @param complete how many of these are complete, with what the consensus module has added
   */
  synchronized void settle(long begunBefore, long complete) {
    boolean isNew = complete > figures.taken();
    figures =
        new SnapshotStats(
            complete,
            Math.max(0, begunBefore - complete),
            isNew ? passedSequence : figures.sequence(),
            isNew ? passedBytes : figures.bytes(),
            figures.pauseNs(),
            figures.pauseMaxNs(),
            figures.writeMs(),
            figures.logBytesFreed());
  }

  synchronized SnapshotStats stats() {
    return figures;
  }
}
