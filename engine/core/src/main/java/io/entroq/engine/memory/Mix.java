package io.entroq.engine.memory;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Hashes that are the same on every machine, for lookups and for digests. None of them resists an
 * attacker who chooses the input; ids that a caller chooses freely are hashed by SHA-256 before.
 */
public final class Mix {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long MULTIPLIER_1 = 0xBF58476D1CE4E5B9L;
  private static final long MULTIPLIER_2 = 0x94D049BB133111EBL;

  private static final long MULTIPLIER_3 = 0xD6E8FEB86659FD93L;
  private static final long MULTIPLIER_4 = 0xA0761D6478BD642FL;

  /** Odd, so that none of them loses anything of a value. */
  private static final long[] FIELD_MULTIPLIERS = new long[12];

  static {
    for (int i = 0; i < FIELD_MULTIPLIERS.length; i++) {
      FIELD_MULTIPLIERS[i] = mix((i + 1) * GOLDEN) | 1;
    }
  }

  private Mix() {}

  /** Scrambles one value; a bijection. */
  public static long mix(long value) {
    long z = (value ^ (value >>> 30)) * MULTIPLIER_1;
    z = (z ^ (z >>> 27)) * MULTIPLIER_2;
    return z ^ (z >>> 31);
  }

  /** Folds a value into a running hash; the order of the values matters. */
  public static long fold(long hash, long value) {
    long z = (hash ^ value) * GOLDEN;
    return z ^ (z >>> 29);
  }

  /** The hash of a 128-bit key. */
  public static long key(long high, long low) {
    return mix(high * GOLDEN + low);
  }

  /**
   * The hash of a range of bytes. Four words at a time go into sums of their own, so that one
   * multiplication need not wait for another.
   */
  public static long bytes(DirectBuffer buffer, int offset, int length) {
    long hash = length * GOLDEN;
    int at = offset;
    int end = offset + length;
    for (; at + 4 * Long.BYTES <= end; at += 4 * Long.BYTES) {
      long first = word(buffer, at) * MULTIPLIER_1 + word(buffer, at + 8) * MULTIPLIER_2;
      long second = word(buffer, at + 16) * MULTIPLIER_3 + word(buffer, at + 24) * MULTIPLIER_4;
      hash = fold(hash, first ^ (second >>> 32) ^ (second << 32));
    }
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = fold(hash, word(buffer, at));
    }
    if (at < end) {
      hash = fold(hash, tail(buffer, at, end));
    }
    return mix(hash);
  }

  private static long word(DirectBuffer buffer, int at) {
    return buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
  }

  private static long tail(DirectBuffer buffer, int from, int end) {
    long last = 0;
    for (int i = end - 1; i >= from; i--) {
      last = last << 8 | (buffer.getByte(i) & 0xFF);
    }
    return last;
  }

  /**
   * The share of one field in a sum over the fields of a record: a change of one field always
   * changes the sum, and the products do not wait for each other.
   *
   * @param field which field, from 0 to 11
   */
  public static long share(int field, long value) {
    return value * FIELD_MULTIPLIERS[field];
  }
}
