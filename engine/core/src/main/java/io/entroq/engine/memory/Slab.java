package io.entroq.engine.memory;

import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * Fixed-size records, each found by its slot. Grows by chunks and never moves a record, so a slot
 * stays valid until it is freed. Freed slots are reused, the last one first. Not thread-safe.
 *
 * <p>A slab can be frozen: another thread may then read its records as they were, while this one
 * goes on. So every write passes a guard, here or in {@link #writable}.
 */
public final class Slab {

  /** No slot. */
  public static final int NONE = -1;

  private static final int NO_FIELD = -1;

  private final int recordBytes;
  private final int chunkShift;
  private final int chunkMask;
  private final int liveField;
  private Memory[] chunks = new Memory[4];
  private long[] addresses = new long[4];
  private int[] liveCounts = new int[4];
  private int chunkCount;
  private int high;
  private int freeHead = NONE;
  private int size;
  private FrozenSlab frozen;

  /**
   * Creates an empty slab that is never frozen; memory is taken with the first record.
   *
   * @param recordBytes size of a record, a multiple of 4 and at least 4
   * @param chunkShift binary logarithm of the number of records in a chunk
   */
  public Slab(int recordBytes, int chunkShift) {
    this(recordBytes, chunkShift, NO_FIELD);
  }

  /**
   * Creates an empty slab; memory is taken with the first record.
   *
   * @param recordBytes size of a record, a multiple of 4 and at least 16
   * @param chunkShift binary logarithm of the number of records in a chunk
   * @param liveField a field of eight bytes, not the first, that is zero in no record in use
   */
  public Slab(int recordBytes, int chunkShift, int liveField) {
    Invariant.check(recordBytes >= 4 && (recordBytes & 3) == 0, "record size", recordBytes, 0);
    Invariant.check(
        liveField == NO_FIELD || (liveField >= 4 && liveField + Long.BYTES <= recordBytes),
        "live field",
        liveField,
        recordBytes);
    this.recordBytes = recordBytes;
    this.chunkShift = chunkShift;
    this.chunkMask = (1 << chunkShift) - 1;
    this.liveField = liveField;
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
      // If a record in use were on the free list, two owners would share it.
      Invariant.check(liveField == NO_FIELD || isFree(slot), "a free slot is free", slot, size);
      freeHead = getInt(slot, 0);
      clear(writable(slot));
    }
    liveCounts[slot >>> chunkShift]++;
    size++;
    return slot;
  }

  /** Gives a slot back. Its record is lost. */
  public void free(int slot) {
    Invariant.check(slot < high, "a slot that is freed was taken", slot, high);
    Invariant.check(liveField == NO_FIELD || !isFree(slot), "a slot is freed once", slot, size);
    long record = writable(slot);
    UnsafeApi.putInt(record, freeHead);
    if (liveField != NO_FIELD) {
      UnsafeApi.putLong(record + liveField, 0);
    }
    freeHead = slot;
    size--;
    int left = --liveCounts[slot >>> chunkShift];
    Invariant.check(left >= 0, "slots of a chunk add up", slot, left);
  }

  private boolean isFree(int slot) {
    return UnsafeApi.getLong(address(slot) + liveField) == 0;
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
    Invariant.check(size == high, "a slab grows only when every slot is taken", size, high);
    Invariant.check(
        chunkCount < Integer.MAX_VALUE >>> chunkShift, "slots of a slab", recordBytes, high);
    if (chunkCount == chunks.length) {
      chunks = Arrays.copyOf(chunks, chunkCount * 2);
      addresses = Arrays.copyOf(addresses, chunkCount * 2);
      liveCounts = Arrays.copyOf(liveCounts, chunkCount * 2);
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

  /** The slot behind the last one whose record lies in one piece of memory with this one's. */
  public int chunkEnd(int slot) {
    return (slot | chunkMask) + 1;
  }

  /** How many slots can be taken before memory has to be. */
  public int spareSlots() {
    return (chunkCount << chunkShift) - size;
  }

  /** Bytes of memory held. */
  public long memoryBytes() {
    return (long) chunkCount * (recordBytes << chunkShift);
  }

  /** Where a record lies in memory, for reading; valid until the slot is freed. */
  public long address(int slot) {
    assert isInside(slot) : slot;
    return addresses[slot >>> chunkShift] + (long) (slot & chunkMask) * recordBytes;
  }

  /** A method of its own keeps {@link #address} short, which the compiler inlines everywhere. */
  private boolean isInside(int slot) {
    return slot >= 0 && slot < high;
  }

  /** Where a record lies in memory, for writing; to be asked for anew in every command. */
  public long writable(int slot) {
    if (frozen != null) {
      frozen.beforeWrite(slot >>> chunkShift);
    }
    return address(slot);
  }

  /** Reads a field, given by its byte offset in the record. */
  public int getInt(int slot, int field) {
    return UnsafeApi.getInt(address(slot) + field);
  }

  /** Writes a field. */
  public void putInt(int slot, int field, int value) {
    UnsafeApi.putInt(writable(slot) + field, value);
  }

  /** Reads a field. */
  public long getLong(int slot, int field) {
    return UnsafeApi.getLong(address(slot) + field);
  }

  /** Writes a field. */
  public void putLong(int slot, int field, long value) {
    UnsafeApi.putLong(writable(slot) + field, value);
  }

  /**
   * Keeps the records as they are now for another thread, until {@link #thaw}.
   *
   * @param freeze what is shared with other slabs that are frozen with this one
   * @param id a number of this slab among those
   */
  public FrozenSlab freeze(Freeze freeze, int id) {
    Invariant.check(frozen == null && liveField != NO_FIELD, "may be frozen", id, liveField);
    int[] counts = Arrays.copyOf(liveCounts, chunkCount);
    frozen =
        new FrozenSlab(freeze, id, recordBytes, chunkShift, liveField, addresses, counts, high);
    return frozen;
  }

  /** Nobody reads the frozen records any more. */
  public void thaw() {
    frozen.discard();
    frozen = null;
  }

  /** Gives all memory back; the slab must not be used any more. */
  public void close() {
    Invariant.check(frozen == null, "not frozen", recordBytes, 0);
    for (int i = 0; i < chunkCount; i++) {
      chunks[i].free();
    }
    chunkCount = 0;
    high = 0;
    size = 0;
    freeHead = NONE;
  }
}
