package io.entroq.cluster.service;

import io.aeron.cluster.service.SnapshotDurationTracker;
import io.entroq.engine.figures.SnapshotFigures;

/**
 * For how long snapshots hold commands up, and how large they are. The service container tells of
 * their beginning and end: between the two it connects to the archive, has the state passed on, and
 * waits until all of it has been recorded. Applying thread, but for {@link #figures}.
 */
final class SnapshotMeter extends SnapshotDurationTracker {
  private long beganNs;
  private volatile SnapshotFigures figures = SnapshotFigures.NONE;

  /** Counts for nobody but this member. */
  SnapshotMeter() {
    super(null, null, Long.MAX_VALUE);
  }

  /** One was found, with which this member has begun: it takes as much as the next one will. */
  void begunWith(long sequence, long bytes) {
    figures = new SnapshotFigures(0, 0, sequence, bytes, 0, 0, 0, 0);
  }

  /** One is begun. */
  @Override
  public void onSnapshotBegin(long timeNanos) {
    beganNs = timeNanos;
  }

  /** All of it has been passed on. */
  void passedOn(long sequence, long bytes) {
    figures =
        new SnapshotFigures(
            figures.taken() + 1,
            figures.failed(),
            sequence,
            bytes,
            figures.pauseNs(),
            figures.pauseMaxNs(),
            figures.writeMs(),
            figures.logBytesFreed());
  }

  /** It could not be. */
  void failed() {
    figures =
        new SnapshotFigures(
            figures.taken(),
            figures.failed() + 1,
            figures.sequence(),
            figures.bytes(),
            figures.pauseNs(),
            figures.pauseMaxNs(),
            figures.writeMs(),
            figures.logBytesFreed());
  }

  /** Commands go on, whatever has come of it. */
  @Override
  public void onSnapshotEnd(long timeNanos) {
    long pauseNs = timeNanos - beganNs;
    figures =
        new SnapshotFigures(
            figures.taken(),
            figures.failed(),
            figures.sequence(),
            figures.bytes(),
            pauseNs,
            Math.max(pauseNs, figures.pauseMaxNs()),
            pauseNs / 1_000_000,
            figures.logBytesFreed());
  }

  /** Any thread. */
  SnapshotFigures figures() {
    return figures;
  }
}
