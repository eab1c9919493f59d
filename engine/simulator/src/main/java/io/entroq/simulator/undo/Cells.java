package io.entroq.simulator.undo;

import java.util.Arrays;

/**
 * Memory of numbered cells, one word each, with an undo log. It holds the ledger's whole account,
 * so that the account can go back to any record that may still be lost.
 *
 * <p>Block sizes are powers of two. Cells beyond the newest block are 0. Cell 0 belongs to no
 * block: 0 as the index of a block means none.
 */
public final class Cells {
  /** No block. */
  public static final int NONE = 0;

  private static final int TOP = 1;
  private static final int FREE = 2;
  private static final int LIVE = FREE + Integer.SIZE;
  private static final int FIRST = 64;
  private static final int SMALLEST_SHIFT = 2;

  private long[] cells = new long[1 << 16];
  private long[] former = new long[1 << 14];
  private long start;
  private long end;
  private long rewinds;

  public Cells() {
    cells[TOP] = FIRST;
  }

  public long get(int at) {
    return cells[at];
  }

  /** The value of a cell that holds the index of a block or another small number. */
  public int ref(int at) {
    return (int) cells[at];
  }

  public void set(int at, long value) {
    long before = cells[at];
    if (before != value) {
      note(at, before);
      cells[at] = value;
    }
  }

  public void add(int at, long delta) {
    set(at, cells[at] + delta);
  }

  private void note(int at, long before) {
    if (end - start == former.length) {
      grow();
    }
    int mask = former.length - 1;
    former[(int) end & mask] = at;
    former[(int) (end + 1) & mask] = before;
    end += 2;
  }

  private void grow() {
    long[] larger = new long[former.length * 2];
    for (long i = start; i < end; i++) {
      larger[(int) i & (larger.length - 1)] = former[(int) i & (former.length - 1)];
    }
    former = larger;
  }

  /** A block of at least so many cells with arbitrary values. */
  public int allocate(int count) {
    int shift = shift(count);
    add(LIVE, 1L << shift);
    int block = ref(FREE + shift);
    if (block != NONE) {
      set(FREE + shift, cells[block]);
      return block;
    }
    block = ref(TOP);
    int top = block + (1 << shift);
    if (top > cells.length) {
      cells = Arrays.copyOf(cells, Math.max(top, cells.length * 2));
    }
    set(TOP, top);
    return block;
  }

  /** A block of at least so many cells, all 0. */
  public int allocateCleared(int count) {
    int block = allocate(count);
    int blockEnd = block + (1 << shift(count));
    for (int at = block; at < blockEnd; at++) {
      set(at, 0);
    }
    return block;
  }

  /**
   * Replaces a block by a larger one with the same cells, then zeros.
   *
   * @param block {@link #NONE} if there is none yet
   */
  public int grown(int block, int count, int larger) {
    int grown = allocateCleared(larger);
    for (int i = 0; i < count; i++) {
      set(grown + i, cells[block + i]);
    }
    if (block != NONE) {
      free(block, count);
    }
    return grown;
  }

  /** Frees a block that was allocated for so many cells. */
  public void free(int block, int count) {
    int shift = shift(count);
    add(LIVE, -(1L << shift));
    set(block, cells[FREE + shift]);
    set(FREE + shift, block);
  }

  private static int shift(int count) {
    return Math.max(SMALLEST_SHIFT, Integer.SIZE - Integer.numberOfLeadingZeros(count - 1));
  }

  /** The size of all allocated blocks in bytes. */
  public long liveBytes() {
    return cells[LIVE] * Long.BYTES;
  }

  /** The current state, for {@link #goBack}. */
  public long point() {
    return end;
  }

  /** Restores the state at a point that has not been forgotten. */
  public void goBack(long point) {
    int mask = former.length - 1;
    rewinds++;
    while (end > point) {
      end -= 2;
      cells[(int) former[(int) end & mask]] = former[(int) (end + 1) & mask];
    }
  }

  /** How often a former state was restored; with {@link #point}, it names the state. */
  public long rewinds() {
    return rewinds;
  }

  /** Drops the undo log before a point. */
  public void forget(long point) {
    start = Math.max(start, point);
  }
}
