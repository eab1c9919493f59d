package io.entroq.engine.memory;

import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * Fixed-size records by slot. Grows by chunks and never moves a record, so a slot is valid until it
 * is freed. The slot freed last is reused first. Not thread-safe.
 *
 * <p>A slab can be frozen: another thread may then read the records as of the freeze, while this
 * one changes them. Every write therefore passes a guard, here or in {@link #writable}.
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
   * Creates an empty slab that cannot be frozen; the first record allocates memory.
   *
   * @param recordBytes size of a record, a multiple of 4 and at least 4
   * @param chunkShift binary logarithm of the number of records in a chunk
   */
  public Slab(int recordBytes, int chunkShift) {
    this(recordBytes, chunkShift, NO_FIELD);
  }

  /**
   * Creates an empty slab; the first record allocates memory.
   *
   * @param recordBytes size of a record, a multiple of 4 and at least 16
   * @param chunkShift binary logarithm of the number of records in a chunk
   * @param liveField a field of eight bytes, not the first, that is nonzero in every live record
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

  /** Allocates a slot with a zeroed record. */
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

  /** Frees a slot and its record. */
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

  /** Records are short: a loop is cheaper than a call meant for long ranges. */
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

  public int size() {
    return size;
  }

  /** One more than the highest slot ever taken. */
  public int highWater() {
    return high;
  }

  /** The first slot after the chunk of a slot. */
  public int chunkEnd(int slot) {
    return (slot | chunkMask) + 1;
  }

  /** Slots that can be allocated without taking memory. */
  public int spareSlots() {
    return (chunkCount << chunkShift) - size;
  }

  public long memoryBytes() {
    return (long) chunkCount * (recordBytes << chunkShift);
  }

  /** The address of a record, for reading; valid until the slot is freed. */
  public long address(int slot) {
    assert isInside(slot) : slot;
    return addresses[slot >>> chunkShift] + (long) (slot & chunkMask) * recordBytes;
  }

  /** Separate, to keep {@link #address} short: the compiler inlines it everywhere. */
  private boolean isInside(int slot) {
    return slot >= 0 && slot < high;
  }

  /** The address of a record, for writing; valid within the current command. */
  public long writable(int slot) {
    if (frozen != null) {
      frozen.beforeWrite(slot >>> chunkShift);
    }
    return address(slot);
  }

  /** Reads a field by its byte offset in the record. */
  public int getInt(int slot, int field) {
    return UnsafeApi.getInt(address(slot) + field);
  }

  public void putInt(int slot, int field, int value) {
    UnsafeApi.putInt(writable(slot) + field, value);
  }

  public long getLong(int slot, int field) {
    return UnsafeApi.getLong(address(slot) + field);
  }

  public void putLong(int slot, int field, long value) {
    UnsafeApi.putLong(writable(slot) + field, value);
  }

  /**
   * Freezes the records for another thread until {@link #thaw}.
   *
   * @param freeze shared by the slabs that are frozen together
   * @param id the number of this slab among them
   */
  public FrozenSlab freeze(Freeze freeze, int id) {
    Invariant.check(frozen == null && liveField != NO_FIELD, "may be frozen", id, liveField);
    int[] counts = Arrays.copyOf(liveCounts, chunkCount);
    frozen =
        new FrozenSlab(freeze, id, recordBytes, chunkShift, liveField, addresses, counts, high);
    return frozen;
  }

  public void thaw() {
    frozen.discard();
    frozen = null;
  }

  /** Frees all memory; the slab must not be used afterwards. */
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
