package io.entroq.cluster.service;

import io.aeron.cluster.service.SnapshotDurationTracker;
import io.entroq.cluster.image.ImageListener;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.snapshot.Manifest;

/**
 * Counts snapshots, and measures their pause and size. The service container reports the start and
 * end of its part, in which it connects to the archive, sends the state, and waits until it is
 * recorded, or fails. Then the consensus module adds its own part; the snapshot is complete after
 * that and when its image is written, if it has one. Any thread.
 */
final class SnapshotMeter extends SnapshotDurationTracker implements ImageListener {
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

  private int imagesPending;
  private int imagesFailed;
  private boolean hasImages;
  private long imageMs;

  /** The whole state has been sent to the archive, which may still fail to record it. */
  synchronized void onSent(long sequence, long bytes) {
    sentSequence = sequence;
    sentBytes = bytes;
  }

  @Override
  public synchronized void onBegin() {
    hasImages = true;
    imagesPending++;
  }

  @Override
  public synchronized void onWritten(Manifest manifest, long tookNs) {
    imagesPending--;
    imageMs = tookNs / 1_000_000;
    onSent(manifest.sequence(), manifest.stateBytes());
  }

  @Override
  public synchronized void onFailed() {
    imagesPending--;
    imagesFailed++;
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
            hasImages ? imageMs : pauseNs / 1_000_000,
            stats.logBytesFreed());
  }

  synchronized long begun() {
    return begun;
  }

  /**
   * Updates the statistics while no snapshot is in progress.
   *
   * @param begunBefore number of snapshots begun before that was found
   * @param recorded how many of these are recorded, including the consensus module's part; their
   *     images may be incomplete
   */
  synchronized void settle(long begunBefore, long recorded) {
    long complete = Math.max(stats.taken(), recorded - imagesPending - imagesFailed);
    boolean isNew = complete > stats.taken();
    stats =
        new SnapshotStats(
            complete,
            Math.max(0, begunBefore - recorded) + imagesFailed,
            isNew ? sentSequence : stats.sequence(),
            isNew ? sentBytes : stats.bytes(),
            stats.pauseNs(),
            stats.pauseMaxNs(),
            hasImages ? imageMs : stats.writeMs(),
            stats.logBytesFreed());
  }

  synchronized SnapshotStats stats() {
    return stats;
  }
}
