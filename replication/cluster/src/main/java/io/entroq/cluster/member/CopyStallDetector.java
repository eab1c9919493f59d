package io.entroq.cluster.member;

import java.time.Duration;

/** Detects that a copy has made no progress for too long. One thread. */
final class CopyStallDetector {
  private final long maxNs;
  private long bytes;
  private long progressNs;

  CopyStallDetector(Duration max, long nowNs) {
    maxNs = max.toNanos();
    progressNs = nowNs;
  }

  /**
   * Whether the copy has stalled.
   *
   * @param nowBytes size of all recordings in progress. Finished ones no longer count, so any
   *     change is progress
   */
  boolean isStalled(long nowBytes, long nowNs) {
    if (nowBytes != bytes) {
      bytes = nowBytes;
      progressNs = nowNs;
    }
    return nowNs - progressNs > maxNs;
  }
}
