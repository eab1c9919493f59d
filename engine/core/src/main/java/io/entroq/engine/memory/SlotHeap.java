package io.entroq.engine.memory;

import org.agrona.UnsafeApi;

/**
 * A binary heap of slots whose keys, and positions in the heap, lie in the slots' own records. A
 * subclass says which of two slots comes first and notes where a slot has moved to. Where it
 * matters which slot is the root, the order must be total, so that equal histories give equal
 * roots; where only the root's key does, slots may be equal. Not thread-safe.
 */
public abstract class SlotHeap {

  private static final int CAPACITY_MIN = 16;

  private Memory own;
  private long base;
  private int capacity;
  private int size;

  /** True if slot {@code a} comes before slot {@code b}. */
  protected abstract boolean before(int a, int b);

  /** Notes the position of a slot, from 0. */
  protected abstract void moved(int slot, int position);

  /** Works on a heap kept elsewhere until the next call. */
  protected final void attach(long address, int heapSize, int heapCapacity) {
    base = address;
    size = heapSize;
    capacity = heapCapacity;
  }

  /** Number of slots in the heap. */
  public final int size() {
    return size;
  }

  /** The first slot; the heap is not empty. */
  public final int root() {
    return at(0);
  }

  /** The slot at a position. */
  protected final int at(int position) {
    return UnsafeApi.getInt(base + ((long) position << 2));
  }

  /** Adds a slot. */
  public final void add(int slot) {
    if (size == capacity) {
      grow();
    }
    siftUp(size++, slot);
    Invariant.check(size <= capacity, "a heap has room", size, capacity);
  }

  /** Removes the slot at a position. */
  public final void removeAt(int position) {
    Invariant.check(position >= 0 && position < size, "heap position", position, size);
    int last = at(--size);
    if (position < size) {
      place(position, last);
    }
  }

  /** Restores the order after the key of the slot at a position has changed. */
  public final void updateAt(int position) {
    Invariant.check(position >= 0 && position < size, "heap position", position, size);
    place(position, at(position));
  }

  private void place(int position, int slot) {
    if (position > 0 && before(slot, at((position - 1) >>> 1))) {
      siftUp(position, slot);
    } else {
      siftDown(position, slot);
    }
  }

  private void siftUp(int from, int slot) {
    int position = from;
    while (position > 0) {
      int parent = (position - 1) >>> 1;
      int above = at(parent);
      if (!before(slot, above)) {
        break;
      }
      set(position, above);
      position = parent;
    }
    set(position, slot);
  }

  private void siftDown(int from, int slot) {
    int position = from;
    int firstLeaf = size >>> 1;
    while (position < firstLeaf) {
      int child = 2 * position + 1;
      if (child + 1 < size && before(at(child + 1), at(child))) {
        child++;
      }
      int below = at(child);
      if (!before(below, slot)) {
        break;
      }
      set(position, below);
      position = child;
    }
    set(position, slot);
  }

  private void set(int position, int slot) {
    UnsafeApi.putInt(base + ((long) position << 2), slot);
    moved(slot, position);
  }

  /**
   * Where a walk goes on, parents before children, when it turns back at a position: the sibling to
   * the right, or that of the nearest ancestor that has one; {@link Slab#NONE} at the end.
   */
  protected static int nextSubtree(int position) {
    int at = position;
    while (at > 0 && (at & 1) == 0) {
      at = (at - 1) / 2;
    }
    return at == 0 ? Slab.NONE : at + 1;
  }

  /** Gives the heap's own memory back; it must not be used any more. */
  public final void close() {
    if (own != null) {
      own.free();
      own = null;
    }
  }

  private void grow() {
    int wanted = Math.max(CAPACITY_MIN, capacity * 2);
    Memory bigger = Memory.allocate(wanted << 2);
    if (own != null) {
      bigger.copyFrom(base, (long) size << 2);
      own.free();
    }
    own = bigger;
    base = bigger.address();
    capacity = wanted;
  }
}
