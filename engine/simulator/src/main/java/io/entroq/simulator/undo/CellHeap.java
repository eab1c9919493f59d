package io.entroq.simulator.undo;

/**
 * Heaps of blocks. One object serves many heaps: each call names the first of a heap's three cells,
 * which are 0 at first. A block is in one heap of a kind at a time.
 */
public abstract class CellHeap {
  /** How many cells a heap needs. */
  public static final int CELLS = 3;

  private static final int ARRAY = 0;
  private static final int CAPACITY = 1;
  private static final int SIZE = 2;
  private static final int CAPACITY_MIN = 4;

  public final Cells cells;
  private final int positionCell;

  /**
   * @param positionCell the cell of a block that holds its position, from 1; 0 if in no heap
   */
  public CellHeap(Cells cells, int positionCell) {
    this.cells = cells;
    this.positionCell = positionCell;
  }

  public abstract boolean before(int a, int b);

  public final int size(int heap) {
    return cells.ref(heap + SIZE);
  }

  /** The first block, or {@link Cells#NONE}. */
  public final int first(int heap) {
    return size(heap) == 0 ? Cells.NONE : cells.ref(cells.ref(heap + ARRAY));
  }

  /** The block at a position from 0. */
  public final int at(int heap, int position) {
    return cells.ref(cells.ref(heap + ARRAY) + position);
  }

  public final boolean holds(int block) {
    return cells.get(block + positionCell) != 0;
  }

  public final void add(int heap, int block) {
    int size = size(heap);
    int capacity = cells.ref(heap + CAPACITY);
    if (size == capacity) {
      int larger = Math.max(CAPACITY_MIN, capacity * 2);
      cells.set(heap + ARRAY, cells.grown(cells.ref(heap + ARRAY), capacity, larger));
      cells.set(heap + CAPACITY, larger);
    }
    cells.set(heap + SIZE, size + 1L);
    up(cells.ref(heap + ARRAY), size, block);
  }

  public final void remove(int heap, int block) {
    int array = cells.ref(heap + ARRAY);
    int last = size(heap) - 1;
    int position = cells.ref(block + positionCell) - 1;
    cells.set(heap + SIZE, last);
    cells.set(block + positionCell, 0);
    if (position != last) {
      settle(array, last, position, cells.ref(array + last));
    }
  }

  /** Frees the memory of an empty heap. */
  public final void release(int heap) {
    if (cells.ref(heap + ARRAY) != Cells.NONE) {
      cells.free(cells.ref(heap + ARRAY), cells.ref(heap + CAPACITY));
      cells.set(heap + ARRAY, Cells.NONE);
      cells.set(heap + CAPACITY, 0);
    }
  }

  /** Moves a block whose rank has changed. */
  public final void update(int heap, int block) {
    settle(cells.ref(heap + ARRAY), size(heap), cells.ref(block + positionCell) - 1, block);
  }

  private void settle(int array, int size, int position, int block) {
    if (position > 0 && before(block, cells.ref(array + (position - 1) / 2))) {
      up(array, position, block);
    } else {
      down(array, size, position, block);
    }
  }

  private void up(int array, int from, int block) {
    int position = from;
    while (position > 0) {
      int parent = cells.ref(array + (position - 1) / 2);
      if (!before(block, parent)) {
        break;
      }
      put(array, position, parent);
      position = (position - 1) / 2;
    }
    put(array, position, block);
  }

  private void down(int array, int size, int from, int block) {
    int position = from;
    for (int child = 2 * position + 1; child < size; child = 2 * position + 1) {
      if (child + 1 < size && before(cells.ref(array + child + 1), cells.ref(array + child))) {
        child++;
      }
      int below = cells.ref(array + child);
      if (!before(below, block)) {
        break;
      }
      put(array, position, below);
      position = child;
    }
    put(array, position, block);
  }

  private void put(int array, int position, int block) {
    cells.set(array + position, block);
    cells.set(block + positionCell, position + 1L);
  }
}
