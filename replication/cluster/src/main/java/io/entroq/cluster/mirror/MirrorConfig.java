package io.entroq.cluster.mirror;

import io.entroq.engine.log.LogConfig;
import io.entroq.engine.maintenance.HistoryPolicy;
import java.util.Objects;

/**
 * The configuration of a mirror. Immutable.
 *
 * @param isOn whether to write a mirror
 * @param queueBytes how many bytes of applied records may wait to be written; a power of two, 64
 *     KiB to 1 GiB. A record may take an eighth of it
 * @param segmentBytes of its log
 * @param reserveBytes the mirror stops when less disk space is free, long before the cluster's log
 *     must
 * @param history how much of the past it keeps, as an engine's directory does
 * @param historyRoomBytes history is removed while less disk space is free
 */
public record MirrorConfig(
    boolean isOn,
    int queueBytes,
    int segmentBytes,
    long reserveBytes,
    HistoryPolicy history,
    long historyRoomBytes) {
  /** On, with a queue of 32 MiB; leaves 256 MiB of the disk free; no history. */
  public static final MirrorConfig DEFAULT =
      new MirrorConfig(
          true, 32 << 20, LogConfig.SEGMENT_BYTES_DEFAULT, 256L << 20, HistoryPolicy.OFF, 1L << 30);

  /** Off. An existing mirror stays as it is. */
  public static final MirrorConfig OFF =
      new MirrorConfig(
          false,
          DEFAULT.queueBytes(),
          DEFAULT.segmentBytes(),
          DEFAULT.reserveBytes(),
          DEFAULT.history(),
          DEFAULT.historyRoomBytes());

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
    Objects.requireNonNull(history, "history");
    // The log's configuration checks the other two.
    LogConfig.defaults().withSegmentBytes(segmentBytes).withReserveBytes(reserveBytes);
  }

  public MirrorConfig withQueueBytes(int bytes) {
    return new MirrorConfig(isOn, bytes, segmentBytes, reserveBytes, history, historyRoomBytes);
  }

  public MirrorConfig withSegmentBytes(int bytes) {
    return new MirrorConfig(isOn, queueBytes, bytes, reserveBytes, history, historyRoomBytes);
  }

  public MirrorConfig withReserveBytes(long bytes) {
    return new MirrorConfig(isOn, queueBytes, segmentBytes, bytes, history, historyRoomBytes);
  }

  public MirrorConfig withHistory(HistoryPolicy policy, long roomBytes) {
    return new MirrorConfig(isOn, queueBytes, segmentBytes, reserveBytes, policy, roomBytes);
  }
}
