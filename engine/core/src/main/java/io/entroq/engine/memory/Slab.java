package io.entroq.engine.memory;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

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
  private UnsafeBuffer[] chunks = new UnsafeBuffer[4];
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
      chunk(slot).setMemory(offset(slot), recordBytes, (byte) 0);
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

  private void addChunk() {
    if (chunkCount == chunks.length) {
      chunks = Arrays.copyOf(chunks, chunkCount * 2);
    }
    chunks[chunkCount++] = Memory.allocate(recordBytes << chunkShift);
  }

  /** Number of slots in use. */
  public int size() {
    return size;
  }

  /** One more than the highest slot ever taken. */
  public int highWater() {
    return high;
  }

  /** Bytes of memory held. */
  public long memoryBytes() {
    return (long) chunkCount * (recordBytes << chunkShift);
  }

  /** The buffer that a slot's record lies in. */
  public UnsafeBuffer chunk(int slot) {
    return chunks[slot >>> chunkShift];
  }

  /** Where in {@link #chunk} a slot's record begins. */
  public int offset(int slot) {
    return (slot & chunkMask) * recordBytes;
  }

  /** Reads a field, given by its byte offset in the record. */
  public int getInt(int slot, int field) {
    return chunk(slot).getInt(offset(slot) + field);
  }

  /** Writes a field. */
  public void putInt(int slot, int field, int value) {
    chunk(slot).putInt(offset(slot) + field, value);
  }

  /** Reads a field. */
  public long getLong(int slot, int field) {
    return chunk(slot).getLong(offset(slot) + field);
  }

  /** Writes a field. */
  public void putLong(int slot, int field, long value) {
    chunk(slot).putLong(offset(slot) + field, value);
  }
}
