package io.entroq.engine.memory;

import org.agrona.UnsafeApi;

/**
 * The blocks that were in use when an arena was frozen, for a thread that reads them until it is
 * thawed. Blocks are not copied: those that were in use keep their memory until then.
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

  /** Where a block lies in memory. */
  public long address(long reference) {
    int index = Arena.sizeClassIndex(reference);
    int block = Arena.block(reference);
    int shift = chunkShifts[index];
    return addresses[index][block >>> shift]
        + (long) (block & ((1 << shift) - 1)) * blockBytes[index];
  }

  /** Reads a number that lies in a block. */
  public int getInt(long reference, int offset) {
    return UnsafeApi.getInt(address(reference) + offset);
  }
}
