package io.entroq.cluster.member;

import java.time.Duration;

/** How long nothing has come of what is being copied. One thread. */
final class CopyStallDetector {
  private final long maxNs;
  private long bytes;
  private long heardNs;

  CopyStallDetector(Duration max, long nowNs) {
    maxNs = max.toNanos();
    heardNs = nowNs;
  }

  /**
   * Whether it has become too long.
   *
   * @param nowBytes of all that is being recorded; what has been recorded is not counted any more,
   *     so any other number than before is progress
   */
  boolean isTooLong(long nowBytes, long nowNs) {
    if (nowBytes != bytes) {
      bytes = nowBytes;
      heardNs = nowNs;
    }
    return nowNs - heardNs > maxNs;
  }
}
