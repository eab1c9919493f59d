package io.entroq.engine.log;

import java.util.Objects;

/**
 * Sizes of a log. Immutable; each {@code with} gives a changed copy.
 *
 * @param segmentBytes a segment is left before it grows beyond this, 1 KiB to 1 GiB; a record that
 *     is longer has a segment to itself
 * @param payloadBytesMax the longest payload accepted, 1 KiB to 64 MiB
 * @param forcer how bytes are forced
 * @param reserveBytes nothing more is appended when fewer bytes than this are free on the disk, 0
 *     or more
 * @param isForcedOften whether a few records are forced at a time, as at level {@code DISK}
 */
public record LogConfig(
    int segmentBytes,
    int payloadBytesMax,
    Forcer forcer,
    long reserveBytes,
    boolean isForcedOften) {
  public static final int SEGMENT_BYTES_DEFAULT = 64 << 20;

  /** A command of 8 MiB and what may be added to it before it is logged. */
  public static final int PAYLOAD_BYTES_MAX_DEFAULT = 9 << 20;

  /** More than others may write between two looks at what is free. */
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
          "%s is %,d; allowed is %,d to %,d".formatted(name, value, least, most));
    }
  }
}
