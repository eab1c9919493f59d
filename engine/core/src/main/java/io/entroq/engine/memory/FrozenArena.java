package io.entroq.engine.memory;

import org.agrona.UnsafeApi;

/**
 * The blocks in use when an arena was frozen, for another thread to read until it is thawed. Blocks
 * are not copied: they keep their memory until then.
 */
public final class FrozenArena {

  private final long[][] addresses;
  private final int[] chunkShifts;
  private final int[] blockBytes;

  FrozenArena(int classes) {
    addresses = new long[classes][];
    chunkShifts = new int[classes];
    blockBytes = new int[classes];
  }

  void add(int index, long[] chunkAddresses, int chunkShift, int bytes) {
    addresses[index] = chunkAddresses;
    chunkShifts[index] = chunkShift;
    blockBytes[index] = bytes;
  }

  public long address(long reference) {
    int index = Arena.sizeClassIndex(reference);
    int block = Arena.block(reference);
    int shift = chunkShifts[index];
    return addresses[index][block >>> shift]
        + (long) (block & ((1 << shift) - 1)) * blockBytes[index];
  }

  public int getInt(long reference, int offset) {
    return UnsafeApi.getInt(address(reference) + offset);
  }
}
