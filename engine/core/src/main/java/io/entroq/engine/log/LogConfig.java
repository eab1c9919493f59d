package io.entroq.engine.log;

import java.util.Objects;

/**
 * Configuration of a log. Immutable.
 *
 * @param segmentBytes largest segment, 1 KiB to 1 GiB; a longer record gets a segment of its own
 * @param payloadBytesMax longest payload, 1 KiB to 64 MiB
 * @param forcer forces bytes to the disk
 * @param reserveBytes free bytes on the disk below which appends fail, 0 or more
 * @param isForcedOften whether few records are forced at a time, as at level {@code DISK}
 */
public record LogConfig(
    int segmentBytes,
    int payloadBytesMax,
    Forcer forcer,
    long reserveBytes,
    boolean isForcedOften) {
  public static final int SEGMENT_BYTES_DEFAULT = 64 << 20;

  /** A command of 8 MiB plus what may be added before it is logged. */
  public static final int PAYLOAD_BYTES_MAX_DEFAULT = 9 << 20;

  /** More than others are likely to write between two checks of the free space. */
  public static final long RESERVE_BYTES_DEFAULT = 16 << 20;

  private static final int SEGMENT_BYTES_LEAST = 1 << 10;
  private static final int SEGMENT_BYTES_MOST = 1 << 30;
  private static final int PAYLOAD_BYTES_LEAST = 1 << 10;
  private static final int PAYLOAD_BYTES_MOST = 64 << 20;

  public LogConfig {
    requireRange("segmentBytes", segmentBytes, SEGMENT_BYTES_LEAST, SEGMENT_BYTES_MOST);
    requireRange("payloadBytesMax", payloadBytesMax, PAYLOAD_BYTES_LEAST, PAYLOAD_BYTES_MOST);
    Objects.requireNonNull(forcer, "forcer");
    if (reserveBytes < 0) {
      throw new IllegalArgumentException("reserveBytes is %,d".formatted(reserveBytes));
    }
  }

  public static LogConfig defaults() {
    return new LogConfig(
        SEGMENT_BYTES_DEFAULT,
        PAYLOAD_BYTES_MAX_DEFAULT,
        Forcer.DISK,
        RESERVE_BYTES_DEFAULT,
        false);
  }

  public LogConfig withSegmentBytes(int bytes) {
    return new LogConfig(bytes, payloadBytesMax, forcer, reserveBytes, isForcedOften);
  }

  public LogConfig withPayloadBytesMax(int bytes) {
    return new LogConfig(segmentBytes, bytes, forcer, reserveBytes, isForcedOften);
  }

  public LogConfig withForcer(Forcer other) {
    return new LogConfig(segmentBytes, payloadBytesMax, other, reserveBytes, isForcedOften);
  }

  public LogConfig withReserveBytes(long bytes) {
    return new LogConfig(segmentBytes, payloadBytesMax, forcer, bytes, isForcedOften);
  }

  public LogConfig withForcedOften(boolean often) {
    return new LogConfig(segmentBytes, payloadBytesMax, forcer, reserveBytes, often);
  }

  private static void requireRange(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s is %,d; allowed: %,d to %,d".formatted(name, value, least, most));
    }
  }
}
