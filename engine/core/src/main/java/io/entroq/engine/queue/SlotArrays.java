package io.entroq.engine.queue;

import io.entroq.engine.memory.Arena;
import org.agrona.UnsafeApi;

/** Growing and shrinking of the arrays of slots that a queue keeps in blocks of the arena. */
final class SlotArrays {

  private static final int CAPACITY_MIN = 4;

  /** An array that has become this many times too large is replaced by one of half the size. */
  private static final int SLACK = 4;

  private SlotArrays() {}

  /** How many slots a block has room for. */
  static int capacity(Arena arena, long block) {
    return block == Arena.NONE ? 0 : arena.capacity(block) / Integer.BYTES;
  }

  /** The slot at a place of the array. */
  static int get(Arena arena, long block, int position) {
    return UnsafeApi.getInt(arena.address(block) + (long) position * Integer.BYTES);
  }

  /** Sets the slot at a place of the array. */
  static void put(Arena arena, long block, int position, int slot) {
    UnsafeApi.putInt(arena.address(block) + (long) position * Integer.BYTES, slot);
  }

  /** A larger block with the same slots; the old one is freed. */
  static long grow(Arena arena, long block, int size) {
    return move(arena, block, size, Math.max(CAPACITY_MIN, size * 2));
  }

  /** The block itself, or a smaller one if most of it is unused. */
  static long shrink(Arena arena, long block, int size) {
    int capacity = capacity(arena, block);
    if (capacity <= CAPACITY_MIN * SLACK || size > capacity / SLACK) {
      return block;
    }
    return move(arena, block, size, capacity / 2);
  }

  private static long move(Arena arena, long block, int size, int capacity) {
    long moved = arena.allocate(capacity * Integer.BYTES);
    if (block != Arena.NONE) {
      UnsafeApi.copyMemory(arena.address(block), arena.address(moved), (long) size * Integer.BYTES);
      arena.free(block);
    }
    return moved;
  }
}
