package io.entroq.simulator.undo;

import io.entroq.simulator.virtual.SeededRandom;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** Hashes for lookup and comparison, equal on every machine. */
public final class Hashes {
  private static final long MULTIPLIER = 0x9fb21c651e98df25L;

  private Hashes() {}

  public static long key(long high, long low) {
    return SeededRandom.mix(high * MULTIPLIER + low);
  }

  /** The hash of some bytes; 0 exactly if there are none. */
  public static long bytes(DirectBuffer buffer, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    long hash = length * MULTIPLIER;
    int at = offset;
    int end = offset + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = fold(hash, buffer.getLong(at, ByteOrder.LITTLE_ENDIAN));
    }
    long rest = 0;
    for (; at < end; at++) {
      rest = (rest << Byte.SIZE) | (buffer.getByte(at) & 0xff);
    }
    long mixed = SeededRandom.mix(fold(hash, rest));
    return mixed == 0 ? 1 : mixed;
  }

  public static long fold(long hash, long word) {
    long folded = (hash ^ word) * MULTIPLIER;
    return folded ^ (folded >>> 32);
  }
}
