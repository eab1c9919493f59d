package io.entroq.engine.memory;

import org.agrona.UnsafeApi;

/**
 * A binary heap of slots. The records of the slots hold their keys and heap positions: a subclass
 * compares slots and stores positions. If the identity of the root matters, the order must be
 * total, so that equal histories give equal roots; if only the root's key matters, slots may
 * compare as equal. Not thread-safe.
 */
public abstract class SlotHeap {

  private static final int CAPACITY_MIN = 16;

  private Memory own;
  private long base;
  private int capacity;
  private int size;

  /** True if slot {@code a} comes before slot {@code b}. */
  protected abstract boolean before(int a, int b);

  /** Stores the position of a slot, from 0. */
  protected abstract void moved(int slot, int position);

  /** Operates on a heap stored elsewhere until the next call. */
  protected final void attach(long address, int heapSize, int heapCapacity) {
    base = address;
    size = heapSize;
    capacity = heapCapacity;
  }

  public final int size() {
    return size;
  }

  /** The first slot; the heap must not be empty. */
  public final int root() {
    return at(0);
  }

  /** The slot at a position. */
  protected final int at(int position) {
    return UnsafeApi.getInt(base + ((long) position << 2));
  }

  public final void add(int slot) {
    if (size == capacity) {
      grow();
    }
    siftUp(size++, slot);
    Invariant.check(size <= capacity, "a heap has room", size, capacity);
  }

  public final void removeAt(int position) {
    Invariant.check(position >= 0 && position < size, "heap position", position, size);
    int last = at(--size);
    if (position < size) {
      place(position, last);
    }
  }

  /** Restores the order after the key at a position has changed. */
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
   * The next position of a walk, parents before children, that skips the subtree at a position: the
   * right sibling of it or of its nearest ancestor that has one; {@link Slab#NONE} at the end.
   */
  protected static int nextSubtree(int position) {
    int at = position;
    while (at > 0 && (at & 1) == 0) {
      at = (at - 1) / 2;
    }
    return at == 0 ? Slab.NONE : at + 1;
  }

  /** Frees the heap's own memory; it must not be used afterwards. */
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
