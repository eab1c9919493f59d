package io.entroq.engine.memory;

import org.agrona.UnsafeApi;

/**
 * Growable arrays of slots, one per record of a slab, in blocks of an arena. An array of up to
 * {@link #CHUNK_SLOTS} is one block; a longer one is a directory of chunks of that size, so that it
 * grows and shrinks in constant time, however long it is. Block, address and capacity are fields of
 * the record, all zero while it has no array. The caller keeps the size. Not thread-safe.
 */
public final class ChunkedSlotArrays {

  /** The slots of a chunk: 256 KiB. */
  public static final int CHUNK_SLOTS = 1 << 16;

  private static final int CHUNK_SHIFT = Integer.numberOfTrailingZeros(CHUNK_SLOTS);
  private static final int CHUNK_MASK = CHUNK_SLOTS - 1;
  private static final int CHUNK_BYTES = CHUNK_SLOTS * Integer.BYTES;
  private static final int CAPACITY_MIN = 4;

  /** An array of one block is halved when at most this fraction of it is in use. */
  private static final int SLACK = 4;

  /** The last chunk is freed when this many slots are unused: it and half of the one before. */
  private static final int UNUSED_MAX = CHUNK_SLOTS + CHUNK_SLOTS / 2;

  // An entry of a directory: the block of a chunk, and its address.
  private static final int ENTRY_BYTES = 2 * Long.BYTES;
  private static final int ENTRY_ADDRESS = Long.BYTES;

  /** A bit of the address of a record's array, which is even: the address of a directory. */
  private static final long DIRECTORY = 1;

  private final Slab slab;
  private final Arena arena;
  private final int blockField;
  private final int addressField;
  private final int capacityField;

  /**
   * Manages one array of each record.
   *
   * @param arena holds the blocks; the caller frees the block of an empty array with its record
   * @param blockField field of eight bytes
   * @param addressField field of eight bytes
   * @param capacityField field of four bytes
   */
  public ChunkedSlotArrays(
      Slab slab, Arena arena, int blockField, int addressField, int capacityField) {
    this.slab = slab;
    this.arena = arena;
    this.blockField = blockField;
    this.addressField = addressField;
    this.capacityField = capacityField;
  }

  /** The capacity of a record's array, in slots. */
  public int capacity(int owner) {
    return slab.getInt(owner, capacityField);
  }

  public int get(int owner, int position) {
    return UnsafeApi.getInt(at(owner, position));
  }

  public void put(int owner, int position, int slot) {
    UnsafeApi.putInt(at(owner, position), slot);
  }

  private long at(int owner, int position) {
    long address = slab.getLong(owner, addressField);
    if ((address & DIRECTORY) == 0) {
      return address + (long) position * Integer.BYTES;
    }
    long entry = entry(address - DIRECTORY, position >>> CHUNK_SHIFT);
    long chunk = UnsafeApi.getLong(entry + ENTRY_ADDRESS);
    return chunk + (long) (position & CHUNK_MASK) * Integer.BYTES;
  }

  private static long entry(long directory, int chunk) {
    return directory + (long) chunk * ENTRY_BYTES;
  }

  /** Creates an array of {@code size} empty positions for a record without one. */
  public void create(int owner, int size) {
    for (int filled = 0; filled < size; ) {
      reserve(owner, filled);
      int end = Math.min(size, capacity(owner));
      for (; filled < end; filled++) {
        put(owner, filled, Slab.NONE);
      }
    }
  }

  /** True if one of the first {@code size} positions is empty. */
  public boolean hasEmpty(int owner, int size) {
    boolean hasEmpty = false;
    for (int i = 0; i < size; i++) {
      hasEmpty |= get(owner, i) == Slab.NONE;
    }
    return hasEmpty;
  }

  public void copy(int owner, int slots, int[] into, int at) {
    for (int i = 0; i < slots; i++) {
      into[at + i] = get(owner, i);
    }
  }

  /** Makes room for {@code size} + 1 slots. */
  public void reserve(int owner, int size) {
    if (size < capacity(owner)) {
      return;
    }
    if (size < CHUNK_SLOTS) {
      move(owner, size, Math.min(CHUNK_SLOTS, Math.max(CAPACITY_MIN, size * 2)));
    } else {
      addChunk(owner);
    }
  }

  /** Shrinks an array that is mostly unused. */
  public void shrink(int owner, int size) {
    int capacity = capacity(owner);
    if (capacity > CHUNK_SLOTS) {
      if (size <= capacity - UNUSED_MAX) {
        removeChunk(owner);
      }
    } else if (capacity > CAPACITY_MIN * SLACK && size <= capacity / SLACK) {
      move(owner, size, capacity / 2);
    }
  }

  private void move(int owner, int size, int slots) {
    long moved = arena.allocate(slots * Integer.BYTES);
    long address = arena.address(moved);
    if (size > 0) {
      UnsafeApi.copyMemory(slab.getLong(owner, addressField), address, (long) size * Integer.BYTES);
    }
    arena.free(slab.getLong(owner, blockField));
    set(owner, moved, Math.min(CHUNK_SLOTS, arena.capacity(moved) / Integer.BYTES));
  }

  private void set(int owner, long block, int capacity) {
    slab.putLong(owner, blockField, block);
    long address = arena.address(block);
    slab.putLong(owner, addressField, capacity > CHUNK_SLOTS ? address | DIRECTORY : address);
    slab.putInt(owner, capacityField, capacity);
  }

  private void addChunk(int owner) {
    int capacity = capacity(owner);
    int chunks = capacity >>> CHUNK_SHIFT;
    long directory = slab.getLong(owner, blockField);
    if (chunks == 1) {
      // The only block becomes the first chunk where it is.
      long first = directory;
      directory = arena.allocate(2 * ENTRY_BYTES);
      setEntry(directory, 0, first);
    } else if ((chunks + 1) * ENTRY_BYTES > arena.capacity(directory)) {
      long longer = arena.allocate(2 * chunks * ENTRY_BYTES);
      UnsafeApi.copyMemory(
          arena.address(directory), arena.address(longer), (long) chunks * ENTRY_BYTES);
      arena.free(directory);
      directory = longer;
    }
    setEntry(directory, chunks, arena.allocate(CHUNK_BYTES));
    set(owner, directory, capacity + CHUNK_SLOTS);
  }

  private void removeChunk(int owner) {
    int chunks = (capacity(owner) >>> CHUNK_SHIFT) - 1;
    long directory = slab.getLong(owner, blockField);
    arena.free(block(directory, chunks));
    if (chunks > 1) {
      slab.putInt(owner, capacityField, chunks << CHUNK_SHIFT);
    } else {
      set(owner, block(directory, 0), CHUNK_SLOTS);
      arena.free(directory);
    }
  }

  private void setEntry(long directory, int chunk, long block) {
    long entry = entry(arena.address(directory), chunk);
    UnsafeApi.putLong(entry, block);
    UnsafeApi.putLong(entry + ENTRY_ADDRESS, arena.address(block));
  }

  private long block(long directory, int chunk) {
    return UnsafeApi.getLong(entry(arena.address(directory), chunk));
  }
}
