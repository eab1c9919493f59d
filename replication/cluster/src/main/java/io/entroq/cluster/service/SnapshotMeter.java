package io.entroq.cluster.service;

import io.entroq.engine.figures.SnapshotFigures;

/**
 * For how long snapshots hold commands up, and how large they are: from when the service is asked
 * for one until it is called for anything else, which is when all of it has been recorded. Applying
 * thread, but for {@link #figures}.
 */
final class SnapshotMeter {
  private static final long NOT_NOW = Long.MIN_VALUE;

  private long beganNs = NOT_NOW;
  private volatile SnapshotFigures figures = SnapshotFigures.NONE;

  /** One was found, with which this member has begun: it takes as much as the next one will. */
  void begunWith(long sequence, long bytes) {
    figures = new SnapshotFigures(0, 0, sequence, bytes, 0, 0, 0, 0);
  }

  /** One is begun. */
  void begin() {
    beganNs = System.nanoTime();
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

  /** The service is called for something else. */
  void goOn() {
    if (beganNs == NOT_NOW) {
      return;
    }
    long pauseNs = System.nanoTime() - beganNs;
    beganNs = NOT_NOW;
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
