package io.entroq.cluster.service;

import io.aeron.cluster.service.SnapshotDurationTracker;
import io.entroq.cluster.image.ImageListener;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.snapshot.Manifest;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Counts snapshots, and measures their pause and size. The service container reports the start and
 * end of its part, in which it connects to the archive, sends the state, and waits until it is
 * recorded, or fails. Then the consensus module adds its own part; the snapshot is complete after
 * that and when its image is written, if it has one. Any thread.
 */
final class SnapshotMeter extends SnapshotDurationTracker implements ImageListener {
  /** Snapshots that have begun, the oldest first, without those that are counted. */
  private final ArrayDeque<Attempt> open = new ArrayDeque<>();

  /** How many there were before those. */
  private long counted;

  private long recordedBefore;
  private long startNs;
  private long sentSequence;
  private long sentBytes;
  private boolean hasImages;
  private long imageMs;
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
    open.add(new Attempt());
    startNs = timeNanos;
  }

  /** The whole state has been sent to the archive, which may still fail to record it. */
  synchronized void onSent(long sequence, long bytes) {
    sentSequence = sequence;
    sentBytes = bytes;
  }

  @Override
  public synchronized void onBegin() {
    hasImages = true;
    if (!open.isEmpty()) {
      open.peekLast().isImagePending = true;
    }
  }

  @Override
  public synchronized void onWritten(Manifest manifest, long tookNs) {
    endImage(true);
    imageMs = tookNs / 1_000_000;
    onSent(manifest.sequence(), manifest.stateBytes());
  }

  @Override
  public synchronized void onFailed() {
    endImage(false);
  }

  /** They end in the order in which they began. */
  private void endImage(boolean isGood) {
    for (Attempt attempt : open) {
      if (attempt.isImagePending) {
        attempt.isImagePending = false;
        attempt.isImageMissing = !isGood;
        return;
      }
    }
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
    return counted + open.size();
  }

  /**
   * Updates the statistics while no snapshot is in progress.
   *
   * @param begunBefore number of snapshots begun before that was found
   * @param recorded how many of these are recorded, including the consensus module's part; their
   *     images may be incomplete
   */
  synchronized void settle(long begunBefore, long recorded) {
    record(begunBefore, recorded);
    long taken = stats.taken();
    long failed = stats.failed();
    while (!open.isEmpty() && open.peek().isDecided()) {
      counted++;
      if (open.poll().isComplete()) {
        taken++;
      } else {
        failed++;
      }
    }
    boolean isNew = taken > stats.taken();
    stats =
        new SnapshotStats(
            taken,
            failed,
            isNew ? sentSequence : stats.sequence(),
            isNew ? sentBytes : stats.bytes(),
            stats.pauseNs(),
            stats.pauseMaxNs(),
            hasImages ? imageMs : stats.writeMs(),
            stats.logBytesFreed());
  }

  /** If only some were recorded since the last time, they are the newest: others are retried. */
  private void record(long begunBefore, long recorded) {
    List<Attempt> undecided =
        open.stream()
            .limit(Math.max(0, begunBefore - counted))
            .filter(attempt -> !attempt.isSettled)
            .toList();
    long missing = undecided.size() - (recorded - recordedBefore);
    recordedBefore = recorded;
    for (Attempt attempt : undecided) {
      attempt.isSettled = true;
      attempt.isRecorded = missing-- <= 0;
    }
  }

  synchronized SnapshotStats stats() {
    return stats;
  }

  private static final class Attempt {
    private boolean isImagePending;
    private boolean isImageMissing;

    /** Whether the next is known. */
    private boolean isSettled;

    private boolean isRecorded;

    boolean isDecided() {
      return isSettled && !isImagePending;
    }

    boolean isComplete() {
      return isRecorded && !isImageMissing;
    }
  }
}
