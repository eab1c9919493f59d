package io.entroq.simulator.disk;

/** Size and used bytes of a disk. */
final class DiskSpace {
  private long capacityBytes = Long.MAX_VALUE;
  private long usedBytes;

  void limit(long bytes) {
    capacityBytes = bytes;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  long usedBytes() {
    return usedBytes;
  }

  long usableBytes() {
    return Math.max(0, capacityBytes - usedBytes);
  }

  void take(long bytes) {
    usedBytes += bytes;
  }

  void reset() {
    usedBytes = 0;
  }
}
