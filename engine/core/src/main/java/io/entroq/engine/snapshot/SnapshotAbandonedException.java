package io.entroq.engine.snapshot;

import io.entroq.engine.log.LogException;

/** Whoever asked for a snapshot no longer wants it. Nothing of it is left. */
public final class SnapshotAbandonedException extends LogException {
  private static final long serialVersionUID = 1L;

  SnapshotAbandonedException(long sequence) {
    super(Severity.ERROR, "The snapshot at record %d was abandoned.".formatted(sequence));
  }
}
