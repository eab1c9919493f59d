package io.entroq.cluster.mirror;

import io.entroq.engine.log.LogConfig;

/**
 * The configuration of a mirror. Immutable.
 *
 * @param isOn whether to write a mirror
 * @param queueBytes how many bytes of applied records may wait to be written; a power of two, 64
 *     KiB to 1 GiB. A record may take an eighth of it
 * @param segmentBytes of its log
 * @param reserveBytes the mirror stops when less disk space is free, long before the cluster's log
 *     must
 */
public record MirrorConfig(boolean isOn, int queueBytes, int segmentBytes, long reserveBytes) {
  /** On, with a queue of 32 MiB; leaves 256 MiB of the disk free. */
  public static final MirrorConfig DEFAULT =
      new MirrorConfig(true, 32 << 20, LogConfig.SEGMENT_BYTES_DEFAULT, 256L << 20);

  /** Off. An existing mirror stays as it is. */
  public static final MirrorConfig OFF =
      new MirrorConfig(false, DEFAULT.queueBytes(), DEFAULT.segmentBytes(), DEFAULT.reserveBytes());

  private static final int QUEUE_BYTES_LEAST = 64 << 10;
  private static final int QUEUE_BYTES_MOST = 1 << 30;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public MirrorConfig {
    if (queueBytes < QUEUE_BYTES_LEAST
        || queueBytes > QUEUE_BYTES_MOST
        || Integer.bitCount(queueBytes) != 1) {
      throw new IllegalArgumentException(
          "queueBytes of the mirror must be a power of two from %,d to %,d, is %,d"
              .formatted(QUEUE_BYTES_LEAST, QUEUE_BYTES_MOST, queueBytes));
    }
    // The log's configuration checks the other two.
    LogConfig.defaults().withSegmentBytes(segmentBytes).withReserveBytes(reserveBytes);
  }

  public MirrorConfig withQueueBytes(int bytes) {
    return new MirrorConfig(isOn, bytes, segmentBytes, reserveBytes);
  }

  public MirrorConfig withSegmentBytes(int bytes) {
    return new MirrorConfig(isOn, queueBytes, bytes, reserveBytes);
  }

  public MirrorConfig withReserveBytes(long bytes) {
    return new MirrorConfig(isOn, queueBytes, segmentBytes, bytes);
  }
}
