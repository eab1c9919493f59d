package io.entroq.engine.memory;

import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * Fixed-size records, each found by its slot. Grows by chunks and never moves a record, so a slot
 * stays valid until it is freed. Freed slots are reused, the last one first. Not thread-safe.
 */
public final class Slab {

  /** No slot. */
  public static final int NONE = -1;

  private final int recordBytes;
  private final int chunkShift;
  private final int chunkMask;
  private Memory[] chunks = new Memory[4];
  private long[] addresses = new long[4];
  private int chunkCount;
  private int high;
  private int freeHead = NONE;
  private int size;

  /**
   * Creates an empty slab; memory is taken with the first record.
   *
   * @param recordBytes size of a record, a multiple of 4 and at least 4
   * @param chunkShift binary logarithm of the number of records in a chunk
   */
  public Slab(int recordBytes, int chunkShift) {
    Invariant.check(recordBytes >= 4 && (recordBytes & 3) == 0, "record size", recordBytes, 0);
    this.recordBytes = recordBytes;
    this.chunkShift = chunkShift;
    this.chunkMask = (1 << chunkShift) - 1;
  }

  /** Takes a slot whose record is all zeros. */
  public int allocate() {
    int slot = freeHead;
    if (slot == NONE) {
      if (high == chunkCount << chunkShift) {
        addChunk();
      }
      slot = high++;
    } else {
      freeHead = getInt(slot, 0);
      clear(address(slot));
    }
    size++;
    return slot;
  }

  /** Gives a slot back. Its record is lost. */
  public void free(int slot) {
    putInt(slot, 0, freeHead);
    freeHead = slot;
    size--;
  }

  /** Records are short: a loop is cheaper than a call that is made for long ranges. */
  private void clear(long address) {
    int i = 0;
    for (; i + Long.BYTES <= recordBytes; i += Long.BYTES) {
      UnsafeApi.putLong(address + i, 0);
    }
    if (i < recordBytes) {
      UnsafeApi.putInt(address + i, 0);
    }
  }

  private void addChunk() {
    Invariant.check(
        chunkCount < Integer.MAX_VALUE >>> chunkShift, "slots of a slab", recordBytes, high);
    if (chunkCount == chunks.length) {
      chunks = Arrays.copyOf(chunks, chunkCount * 2);
      addresses = Arrays.copyOf(addresses, chunkCount * 2);
    }
    Memory chunk = Memory.allocate(recordBytes << chunkShift);
    chunks[chunkCount] = chunk;
    addresses[chunkCount] = chunk.address();
    chunkCount++;
  }

  /** Number of slots in use. */
  public int size() {
    return size;
  }

  /** One more than the highest slot ever taken. */
  public int highWater() {
    return high;
  }

  /** How many slots can be taken before memory has to be. */
  public int spareSlots() {
    return (chunkCount << chunkShift) - size;
  }

  /** Bytes of memory held. */
  public long memoryBytes() {
    return (long) chunkCount * (recordBytes << chunkShift);
  }

  /** Where a record lies in memory; valid until the slot is freed. */
  public long address(int slot) {
    assert slot >= 0 && slot < high : "slot " + slot + " of " + high;
    return addresses[slot >>> chunkShift] + (long) (slot & chunkMask) * recordBytes;
  }

  /** Reads a field, given by its byte offset in the record. */
  public int getInt(int slot, int field) {
    return UnsafeApi.getInt(address(slot) + field);
  }

  /** Writes a field. */
  public void putInt(int slot, int field, int value) {
    UnsafeApi.putInt(address(slot) + field, value);
  }

  /** Reads a field. */
  public long getLong(int slot, int field) {
    return UnsafeApi.getLong(address(slot) + field);
  }

  /** Writes a field. */
  public void putLong(int slot, int field, long value) {
    UnsafeApi.putLong(address(slot) + field, value);
  }
}
