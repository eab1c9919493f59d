package io.entroq.engine.memory;

import org.agrona.UnsafeApi;

/**
 * An array of slots that each record of a slab keeps: how it grows and shrinks in blocks of the
 * arena. Block, address and capacity are fields of the record, all zero while it has no array; how
 * many places are taken the owner knows. Not thread-safe.
 */
public final class SlotArrays {

  private static final int CAPACITY_MIN = 4;

  /** An array that has become this many times too large is replaced by one of half the size. */
  private static final int SLACK = 4;

  private final Slab slab;
  private final Arena arena;
  private final int blockField;
  private final int addressField;
  private final int capacityField;

  /**
   * Manages one array of each record.
   *
   * @param slab holds the records
   * @param arena gives the blocks, which whoever frees a record frees too
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

  /** Where the array of a record lies in memory. */
  public long address(int owner) {
    return slab.getLong(owner, addressField);
  }

  /** How many slots the array of a record holds. */
  public int capacity(int owner) {
    return slab.getInt(owner, capacityField);
  }

  /** The slot at a place of the array. */
  public int get(int owner, int position) {
    return UnsafeApi.getInt(address(owner) + (long) position * Integer.BYTES);
  }

  /** Sets the slot at a place of the array. */
  public void put(int owner, int position, int slot) {
    UnsafeApi.putInt(address(owner) + (long) position * Integer.BYTES, slot);
  }

  /** Makes an array of empty places for a record that has none yet. */
  public void create(int owner, int size) {
    if (size > 0) {
      move(owner, 0, size);
      UnsafeApi.setMemory(address(owner), (long) size * Integer.BYTES, (byte) Slab.NONE);
    }
  }

  /** True if one of the first places of an array is empty. */
  public boolean hasEmpty(int owner, int size) {
    long address = address(owner);
    boolean hasEmpty = false;
    for (int i = 0; i < size; i++) {
      hasEmpty |= UnsafeApi.getInt(address + (long) i * Integer.BYTES) == Slab.NONE;
    }
    return hasEmpty;
  }

  /** Copies the first slots of an array. */
  public void copy(int owner, int slots, int[] into, int at) {
    long address = address(owner);
    for (int i = 0; i < slots; i++) {
      into[at + i] = UnsafeApi.getInt(address + (long) i * Integer.BYTES);
    }
  }

  /** Makes room for one slot more than {@code size}. */
  public void reserve(int owner, int size) {
    if (size == capacity(owner)) {
      move(owner, size, Math.max(CAPACITY_MIN, size * 2));
    }
  }

  /** Gives memory back if most of it is unused. */
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
