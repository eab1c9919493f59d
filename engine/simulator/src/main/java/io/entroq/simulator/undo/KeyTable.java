package io.entroq.simulator.undo;

/** A hash table of blocks by the 128-bit key in their first two cells, with open addressing. */
public final class KeyTable {
  private static final int CAPACITY_MIN = 64;
  private static final int TABLE = 0;
  private static final int CAPACITY = 1;
  private static final int SIZE = 2;

  private final Cells cells;
  private final int base;

  public KeyTable(Cells cells) {
    this.cells = cells;
    base = cells.allocateCleared(3);
    cells.set(base + TABLE, cells.allocateCleared(CAPACITY_MIN));
    cells.set(base + CAPACITY, CAPACITY_MIN);
  }

  public int size() {
    return cells.ref(base + SIZE);
  }

  /** The block with the key, or {@link Cells#NONE}. */
  public int find(long high, long low) {
    int table = cells.ref(base + TABLE);
    int mask = cells.ref(base + CAPACITY) - 1;
    int place = place(high, low, mask);
    int block = cells.ref(table + place);
    while (block != Cells.NONE && (cells.get(block + 1) != low || cells.get(block) != high)) {
      place = (place + 1) & mask;
      block = cells.ref(table + place);
    }
    return block;
  }

  /** Adds a block whose key is new. */
  public void add(int block) {
    int capacity = cells.ref(base + CAPACITY);
    if (size() * 2 >= capacity) {
      grow(capacity);
    }
    put(block);
    cells.add(base + SIZE, 1);
  }

  private void put(int block) {
    int table = cells.ref(base + TABLE);
    int mask = cells.ref(base + CAPACITY) - 1;
    int place = place(cells.get(block), cells.get(block + 1), mask);
    while (cells.ref(table + place) != Cells.NONE) {
      place = (place + 1) & mask;
    }
    cells.set(table + place, block);
  }

  private void grow(int capacity) {
    int old = cells.ref(base + TABLE);
    cells.set(base + TABLE, cells.allocateCleared(capacity * 2));
    cells.set(base + CAPACITY, capacity * 2L);
    for (int i = 0; i < capacity; i++) {
      int block = cells.ref(old + i);
      if (block != Cells.NONE) {
        put(block);
      }
    }
    cells.free(old, capacity);
  }

  /** Removes a block of the table. */
  public void remove(int block) {
    int table = cells.ref(base + TABLE);
    int mask = cells.ref(base + CAPACITY) - 1;
    int hole = place(cells.get(block), cells.get(block + 1), mask);
    while (cells.ref(table + hole) != block) {
      hole = (hole + 1) & mask;
    }
    int next = (hole + 1) & mask;
    int moved = cells.ref(table + next);
    while (moved != Cells.NONE) {
      int home = place(cells.get(moved), cells.get(moved + 1), mask);
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        cells.set(table + hole, moved);
        hole = next;
      }
      next = (next + 1) & mask;
      moved = cells.ref(table + next);
    }
    cells.set(table + hole, Cells.NONE);
    cells.add(base + SIZE, -1);
  }

  private static int place(long high, long low, int mask) {
    return (int) Hashes.key(high, low) & mask;
  }

  /** The bound of the index of {@link #at}. */
  public int places() {
    return cells.ref(base + CAPACITY);
  }

  /** The block at an index of the table, or {@link Cells#NONE}. */
  public int at(int place) {
    return cells.ref(cells.ref(base + TABLE) + place);
  }
}
