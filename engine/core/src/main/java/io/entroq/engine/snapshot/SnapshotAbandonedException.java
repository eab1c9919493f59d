package io.entroq.engine.snapshot;

import io.entroq.engine.log.LogException;

/** A snapshot was abandoned on request. Its files have been removed. */
public final class SnapshotAbandonedException extends LogException {
  private static final long serialVersionUID = 1L;

  SnapshotAbandonedException(long sequence) {
    super(Severity.ERROR, "The snapshot at record %d was abandoned.".formatted(sequence));
  }
}
