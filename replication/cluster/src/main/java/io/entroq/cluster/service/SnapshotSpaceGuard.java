package io.entroq.cluster.service;

import io.entroq.engine.log.LogConfig;
import java.util.function.LongSupplier;

/**
 * Keeps a snapshot from taking what is left of the disk for the log, without which the member would
 * end. One use, applying thread.
 */
final class SnapshotSpaceGuard {
  /** As the log of an engine keeps free for itself. */
  private static final long RESERVE_BYTES = LogConfig.RESERVE_BYTES_DEFAULT;

  /** Written between two looks at the disk. */
  private static final long BYTES_UNLOOKED = 1 << 20;

  private final LongSupplier usableBytes;
  private long unlooked = BYTES_UNLOOKED;

  /**
   * Room for one snapshot.
   *
   * @param usableBytes looks at the disk
   */
  SnapshotSpaceGuard(LongSupplier usableBytes) {
    this.usableBytes = usableBytes;
  }

  /**
   * Returns if so many bytes more may be written.
   *
   * @throws SnapshotException if there is too little left; the snapshot is to be given up
   */
  void require(long bytes) {
    unlooked += bytes;
    if (unlooked < BYTES_UNLOOKED) {
      return;
    }
    unlooked = 0;
    long usable = usableBytes.getAsLong();
    if (usable < RESERVE_BYTES) {
      throw new SnapshotException(
          ("no snapshot is taken, as %,d bytes are free on the member's disk and %,d are kept for the"
                  + " log. Make room there; it is tried again")
              .formatted(Math.max(0, usable), RESERVE_BYTES));
    }
  }
}
