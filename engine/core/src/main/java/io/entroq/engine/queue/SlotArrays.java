package io.entroq.engine.queue;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Slab;
import org.agrona.UnsafeApi;

/**
 * One of the arrays of slots that each queue keeps: how it grows and shrinks in blocks of the
 * arena. Block, address, capacity and size are fields of the queue's record.
 */
final class SlotArrays {

  private static final int CAPACITY_MIN = 4;

  /** An array that has become this many times too large is replaced by one of half the size. */
  private static final int SLACK = 4;

  private final Slab slab;
  private final Arena arena;
  private final int blockField;
  private final int addressField;
  private final int capacityField;

  SlotArrays(QueueStore queues, int blockField, int addressField, int capacityField) {
    this.slab = queues.slab;
    this.arena = queues.arena;
    this.blockField = blockField;
    this.addressField = addressField;
    this.capacityField = capacityField;
  }

  /** Where the array of a queue lies in memory. */
  long address(int queue) {
    return slab.getLong(queue, addressField);
  }

  /** How many slots the array of a queue holds. */
  int capacity(int queue) {
    return slab.getInt(queue, capacityField);
  }

  /** The slot at a place of the array. */
  int get(int queue, int position) {
    return UnsafeApi.getInt(address(queue) + (long) position * Integer.BYTES);
  }

  /** Sets the slot at a place of the array. */
  void put(int queue, int position, int slot) {
    UnsafeApi.putInt(address(queue) + (long) position * Integer.BYTES, slot);
  }

  /** Makes an array of empty places for a queue that has none yet. */
  void create(int queue, int size) {
    if (size > 0) {
      move(queue, 0, size);
      UnsafeApi.setMemory(address(queue), (long) size * Integer.BYTES, (byte) Slab.NONE);
    }
  }

  /** True if one of the first places of an array is empty. */
  boolean hasEmpty(int queue, int size) {
    long address = address(queue);
    boolean hasEmpty = false;
    for (int i = 0; i < size; i++) {
      hasEmpty |= UnsafeApi.getInt(address + (long) i * Integer.BYTES) == Slab.NONE;
    }
    return hasEmpty;
  }

  /** Copies the first slots of an array. */
  void copy(int queue, int slots, int[] into, int at) {
    long address = address(queue);
    for (int i = 0; i < slots; i++) {
      into[at + i] = UnsafeApi.getInt(address + (long) i * Integer.BYTES);
    }
  }

  /** Makes room for one slot more than {@code size}. */
  void reserve(int queue, int size) {
    if (size == capacity(queue)) {
      move(queue, size, Math.max(CAPACITY_MIN, size * 2));
    }
  }

  /** Gives memory back if most of it is unused. */
  void shrink(int queue, int size) {
    int capacity = capacity(queue);
    if (capacity > CAPACITY_MIN * SLACK && size <= capacity / SLACK) {
      move(queue, size, capacity / 2);
    }
  }

  private void move(int queue, int size, int slots) {
    long moved = arena.allocate(slots * Integer.BYTES);
    long address = arena.address(moved);
    if (size > 0) {
      UnsafeApi.copyMemory(address(queue), address, (long) size * Integer.BYTES);
    }
    arena.free(slab.getLong(queue, blockField));
    slab.putLong(queue, blockField, moved);
    slab.putLong(queue, addressField, address);
    slab.putInt(queue, capacityField, arena.capacity(moved) / Integer.BYTES);
  }
}
