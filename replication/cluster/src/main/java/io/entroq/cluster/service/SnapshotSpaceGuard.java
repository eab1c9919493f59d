package io.entroq.cluster.service;

import io.entroq.engine.log.LogConfig;
import java.util.function.LongSupplier;

/**
 * Stops a snapshot that would fill the disk: without space for the log the member would end. One
 * use, applying thread.
 */
final class SnapshotSpaceGuard {
  /** The same as an engine reserves for its log. */
  private static final long RESERVE_BYTES = LogConfig.RESERVE_BYTES_DEFAULT;

  /** Bytes written between two checks of the disk. */
  private static final long CHECK_BYTES = 1 << 20;

  private final LongSupplier usableBytes;
  private long unchecked = CHECK_BYTES;

  SnapshotSpaceGuard(LongSupplier usableBytes) {
    this.usableBytes = usableBytes;
  }

  /**
   * Returns if this many more bytes may be written.
   *
   * @throws SnapshotException if the disk is too full for the snapshot
   */
  void require(long bytes) {
    unchecked += bytes;
    if (unchecked < CHECK_BYTES) {
      return;
    }
    unchecked = 0;
    long usable = usableBytes.getAsLong();
    if (usable < RESERVE_BYTES) {
      throw new SnapshotException(
          ("no snapshot was taken: %,d bytes are free on the member's disk, and %,d are reserved for the"
                  + " log. Free some space; the snapshot will be retried")
              .formatted(Math.max(0, usable), RESERVE_BYTES));
    }
  }
}
