package io.entroq.perf.peers.cycle;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * Values that say which task they are: of which measurement, by which caller, and which of its
 * tasks. The rest are bytes that nothing makes smaller. For one thread.
 */
final class Payload {
  /** How long a value is. */
  static final int BYTES = 128;

  private static final int SEQUENCE_BITS = 40;
  private static final int CHECK_AT = BYTES - Long.BYTES;
  private static final long CHECK = 0x9E37_79B9_7F4A_7C15L;

  private final long measurement;
  private final byte[] filler = new byte[BYTES];

  /** Of one measurement. */
  Payload(long measurement) {
    this.measurement = measurement;
    new SplittableRandom(measurement).nextBytes(filler);
  }

  /** The number of a task: the caller that inserts it, and its place among the tasks of that. */
  static long number(int caller, long sequence) {
    return ((long) caller << SEQUENCE_BITS) | sequence;
  }

  /** Who inserted a task. */
  static int caller(long number) {
    return (int) (number >>> SEQUENCE_BITS);
  }

  /** Its place among the tasks of its caller, from 0. */
  static long sequence(long number) {
    return number & ((1L << SEQUENCE_BITS) - 1);
  }

  byte[] encode(long number) {
    byte[] value = filler.clone();
    ByteBuffer.wrap(value)
        .putLong(measurement)
        .putLong(number)
        .putLong(CHECK_AT, check(measurement, number));
    return value;
  }

  /**
   * The number of a task of this measurement.
   *
   * @throws IllegalStateException if these are not the bytes of one
   */
  long decode(byte[] value) {
    if (value.length != BYTES) {
      throw new IllegalStateException(
          "a claimed value has " + value.length + " bytes, inserted were " + BYTES);
    }
    ByteBuffer buffer = ByteBuffer.wrap(value);
    long number = buffer.getLong(Long.BYTES);
    if (buffer.getLong(0) != measurement
        || buffer.getLong(CHECK_AT) != check(measurement, number)) {
      throw new IllegalStateException("a claimed value was not inserted by this measurement");
    }
    return number;
  }

  private static long check(long measurement, long number) {
    return (measurement * 31 + number) * CHECK;
  }
}
