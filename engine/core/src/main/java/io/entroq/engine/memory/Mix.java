package io.entroq.engine.memory;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Hashes for lookups and digests, equal on every machine. They do not resist chosen input: an
 * attacker who picks ids or queue names to collide makes lookups slow, but never wrong.
 */
public final class Mix {

  private static final boolean IS_BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
  private static final int BLOCK_BYTES = 4 * Long.BYTES;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long MULTIPLIER_1 = 0xBF58476D1CE4E5B9L;
  private static final long MULTIPLIER_2 = 0x94D049BB133111EBL;

  private static final long MULTIPLIER_3 = 0xD6E8FEB86659FD93L;
  private static final long MULTIPLIER_4 = 0xA0761D6478BD642FL;

  /** Odd, so that multiplication is a bijection. */
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
   * The hash of a range of bytes. Mixes four words at a time into independent sums, so that the
   * multiplications can overlap.
   */
  public static long bytes(DirectBuffer buffer, int offset, int length) {
    buffer.boundsCheck(offset, length);
    byte[] array = buffer.byteArray();
    long address = buffer.addressOffset() + offset;
    // Two loops that the compiler optimizes, instead of one over both kinds of memory.
    return array == null ? bytes(address, length) : bytes(array, address, length);
  }

  private static long bytes(long address, int length) {
    long hash = length * GOLDEN;
    long at = address;
    long end = address + length;
    for (; at + BLOCK_BYTES <= end; at += BLOCK_BYTES) {
      hash =
          block(
              hash,
              UnsafeApi.getLong(at),
              UnsafeApi.getLong(at + 8),
              UnsafeApi.getLong(at + 16),
              UnsafeApi.getLong(at + 24));
    }
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = fold(hash, little(UnsafeApi.getLong(at)));
    }
    long tail = 0;
    for (int shift = 0; at < end; at++, shift += Byte.SIZE) {
      tail |= (UnsafeApi.getByte(at) & 0xFFL) << shift;
    }
    return mix(hash ^ tail);
  }

  private static long bytes(byte[] array, long address, int length) {
    long hash = length * GOLDEN;
    long at = address;
    long end = address + length;
    for (; at + BLOCK_BYTES <= end; at += BLOCK_BYTES) {
      hash =
          block(
              hash,
              UnsafeApi.getLong(array, at),
              UnsafeApi.getLong(array, at + 8),
              UnsafeApi.getLong(array, at + 16),
              UnsafeApi.getLong(array, at + 24));
    }
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = fold(hash, little(UnsafeApi.getLong(array, at)));
    }
    long tail = 0;
    for (int shift = 0; at < end; at++, shift += Byte.SIZE) {
      tail |= (UnsafeApi.getByte(array, at) & 0xFFL) << shift;
    }
    return mix(hash ^ tail);
  }

  private static long block(long hash, long a, long b, long c, long d) {
    long first = little(a) * MULTIPLIER_1 + little(b) * MULTIPLIER_2;
    long second = little(c) * MULTIPLIER_3 + little(d) * MULTIPLIER_4;
    return fold(hash, first ^ (second >>> 32) ^ (second << 32));
  }

  private static long little(long word) {
    return IS_BIG_ENDIAN ? Long.reverseBytes(word) : word;
  }

  /**
   * The share of one field in a sum over the fields of a record. A change of one field always
   * changes the sum, and the multiplications can overlap.
   *
   * @param field number of the field, from 0 to 11
   */
  public static long share(int field, long value) {
    return value * FIELD_MULTIPLIERS[field];
  }
}
