package io.entroq.cluster.mirror;

import io.entroq.engine.log.LogConfig;

/**
 * How a mirror is set up. Immutable; each {@code with} gives a changed copy.
 *
 * @param isOn whether there is one
 * @param queueBytes how far it may lag behind: bytes of records that are applied and not written; a
 *     power of two, 64 KiB to 1 GiB. A record may be an eighth of it
 * @param segmentBytes of its log
 * @param reserveBytes the mirror stops when fewer bytes are free on the disk, long before the log
 *     of the cluster has to
 */
public record MirrorConfig(boolean isOn, int queueBytes, int segmentBytes, long reserveBytes) {
  /** On; it may lag 32 MiB behind, and leaves 256 MiB free. */
  public static final MirrorConfig DEFAULT =
      new MirrorConfig(true, 32 << 20, LogConfig.SEGMENT_BYTES_DEFAULT, 256L << 20);

  /** None. What there is of one stays as it is. */
  public static final MirrorConfig OFF =
      new MirrorConfig(false, DEFAULT.queueBytes(), DEFAULT.segmentBytes(), DEFAULT.reserveBytes());

  private static final int QUEUE_BYTES_LEAST = 64 << 10;
  private static final int QUEUE_BYTES_MOST = 1 << 30;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one is left
   */
  public MirrorConfig {
    if (queueBytes < QUEUE_BYTES_LEAST
        || queueBytes > QUEUE_BYTES_MOST
        || Integer.bitCount(queueBytes) != 1) {
      throw new IllegalArgumentException(
          "queueBytes of the mirror is %,d; it must be a power of two from %,d to %,d"
              .formatted(queueBytes, QUEUE_BYTES_LEAST, QUEUE_BYTES_MOST));
    }
    // Of the other two the log says what they may be.
    LogConfig.defaults().withSegmentBytes(segmentBytes).withReserveBytes(reserveBytes);
  }

  /** The same with another bound on the lag. */
  public MirrorConfig withQueueBytes(int bytes) {
    return new MirrorConfig(isOn, bytes, segmentBytes, reserveBytes);
  }

  /** The same with other segments. */
  public MirrorConfig withSegmentBytes(int bytes) {
    return new MirrorConfig(isOn, queueBytes, bytes, reserveBytes);
  }

  /** The same with another reserve. */
  public MirrorConfig withReserveBytes(long bytes) {
    return new MirrorConfig(isOn, queueBytes, segmentBytes, bytes);
  }
}
