package io.entroq.engine.memory;

import org.agrona.UnsafeApi;

/**
 * Growable arrays of slots, one per record of a slab, in blocks of an arena. Block, address and
 * capacity are fields of the record, all zero while it has no array. The caller keeps the size. Not
 * thread-safe.
 */
public final class SlotArrays {

  private static final int CAPACITY_MIN = 4;

  /** An array is halved when at most this fraction of it is in use. */
  private static final int SLACK = 4;

  private final Slab slab;
  private final Arena arena;
  private final int blockField;
  private final int addressField;
  private final int capacityField;

  /**
   * Manages one array of each record.
   *
   * @param arena holds the blocks; the caller frees the block of a record with the record
   * @param blockField field of eight bytes
   * @param addressField field of eight bytes
   * @param capacityField field of four bytes
   */
  public SlotArrays(Slab slab, Arena arena, int blockField, int addressField, int capacityField) {
    this.slab = slab;
    this.arena = arena;
    this.blockField = blockField;
    this.addressField = addressField;
    this.capacityField = capacityField;
  }

  /** The address of a record's array. */
  public long address(int owner) {
    return slab.getLong(owner, addressField);
  }

  /** The capacity of a record's array, in slots. */
  public int capacity(int owner) {
    return slab.getInt(owner, capacityField);
  }

  public int get(int owner, int position) {
    return UnsafeApi.getInt(address(owner) + (long) position * Integer.BYTES);
  }

  public void put(int owner, int position, int slot) {
    UnsafeApi.putInt(address(owner) + (long) position * Integer.BYTES, slot);
  }

  /** Creates an array of {@code size} empty positions for a record without one. */
  public void create(int owner, int size) {
    if (size > 0) {
      move(owner, 0, size);
      UnsafeApi.setMemory(address(owner), (long) size * Integer.BYTES, (byte) Slab.NONE);
    }
  }

  /** True if one of the first {@code size} positions is empty. */
  public boolean hasEmpty(int owner, int size) {
    long address = address(owner);
    boolean hasEmpty = false;
    for (int i = 0; i < size; i++) {
      hasEmpty |= UnsafeApi.getInt(address + (long) i * Integer.BYTES) == Slab.NONE;
    }
    return hasEmpty;
  }

  public void copy(int owner, int slots, int[] into, int at) {
    long address = address(owner);
    for (int i = 0; i < slots; i++) {
      into[at + i] = UnsafeApi.getInt(address + (long) i * Integer.BYTES);
    }
  }

  /** Makes room for {@code size} + 1 slots. */
  public void reserve(int owner, int size) {
    if (size == capacity(owner)) {
      move(owner, size, Math.max(CAPACITY_MIN, size * 2));
    }
  }

  /** Shrinks an array that is mostly unused. */
  public void shrink(int owner, int size) {
    int capacity = capacity(owner);
    if (capacity > CAPACITY_MIN * SLACK && size <= capacity / SLACK) {
      move(owner, size, capacity / 2);
    }
  }

  private void move(int owner, int size, int slots) {
    long moved = arena.allocate(slots * Integer.BYTES);
    long address = arena.address(moved);
    if (size > 0) {
      UnsafeApi.copyMemory(address(owner), address, (long) size * Integer.BYTES);
    }
    arena.free(slab.getLong(owner, blockField));
    slab.putLong(owner, blockField, moved);
    slab.putLong(owner, addressField, address);
    slab.putInt(owner, capacityField, arena.capacity(moved) / Integer.BYTES);
  }
}
