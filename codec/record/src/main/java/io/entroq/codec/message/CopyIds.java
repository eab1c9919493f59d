package io.entroq.codec.message;

import org.agrona.DirectBuffer;

/**
 * The ids of the copies that an insert into a topic makes, one for each group. A copy's id depends
 * on the id of the insert and the name of the group alone, so a repeated insert makes the same
 * copies. It is a key without a text, and never nobody. Thread-safe.
 *
 * <p>With {@code h} = FNV-1a of the group's name in UTF-8 (64 bits, with the usual offset and
 * prime):
 *
 * <pre>
 * high' = mix(high ^ mix(h))
 * low'  = mix(low + rotateLeft(h, 32) + high' * 0x9E3779B97F4A7C15), or 1 if both would be 0
 * mix(z): z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9; z = (z ^ z >>> 27) * 0x94D049BB133111EB; z ^ z >>> 31
 * </pre>
 *
 * <p>For one group this maps different ids to different ids. It does not resist chosen names of
 * groups: two copies of one insert can have the same id, and the insert is then refused.
 */
public final class CopyIds {
  private static final long FNV_OFFSET = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 0x100000001B3L;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long MULTIPLIER_1 = 0xBF58476D1CE4E5B9L;
  private static final long MULTIPLIER_2 = 0x94D049BB133111EBL;
  private static final int HALF = 32;

  private CopyIds() {}

  /** The hash of a group's name, for {@link #high} and {@link #low}. */
  public static long hash(DirectBuffer group, int offset, int length) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ (group.getByte(offset + i) & 0xFF)) * FNV_PRIME;
    }
    return hash;
  }

  /**
   * The upper half of a copy's id.
   *
   * @param idHigh the upper half of the insert's id
   * @param group {@link #hash} of the group's name
   */
  public static long high(long idHigh, long group) {
    return mix(idHigh ^ mix(group));
  }

  /** The lower half of a copy's id; the arguments are those of {@link #high}. */
  public static long low(long idHigh, long idLow, long group) {
    long high = high(idHigh, group);
    long low = mix(idLow + Long.rotateLeft(group, HALF) + high * GOLDEN);
    return (high | low) == 0 ? 1 : low;
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * MULTIPLIER_1;
    z = (z ^ (z >>> 27)) * MULTIPLIER_2;
    return z ^ (z >>> 31);
  }
}
