package io.entroq.simulator.undo;

/**
 * The texts of claimants that cannot be derived from their key. While one is in use, its key stands
 * for no other text.
 */
public final class ClaimantTexts {
  private static final int TEXT = 2;
  private static final int USES = 3;
  private static final int CELL_COUNT = 4;

  private final Cells cells;
  private final KeyTable byKey;

  public ClaimantTexts(Cells cells) {
    this.cells = cells;
    byKey = new KeyTable(cells);
  }

  /** Whether another text with this key is in use; false without a text. */
  public boolean conflict(long high, long low, long text) {
    if (text == 0 || byKey.size() == 0) {
      return false;
    }
    int holder = byKey.find(high, low);
    return holder != Cells.NONE && cells.get(holder + TEXT) != text;
  }

  public void acquire(long high, long low, long text) {
    if (text == 0) {
      return;
    }
    int holder = byKey.find(high, low);
    if (holder == Cells.NONE) {
      holder = cells.allocateCleared(CELL_COUNT);
      cells.set(holder, high);
      cells.set(holder + 1, low);
      cells.set(holder + TEXT, text);
      byKey.add(holder);
    }
    cells.add(holder + USES, 1);
  }

  public void release(long high, long low, long text) {
    if (text == 0) {
      return;
    }
    int holder = byKey.find(high, low);
    cells.add(holder + USES, -1);
    if (cells.get(holder + USES) == 0) {
      byKey.remove(holder);
      cells.free(holder, CELL_COUNT);
    }
  }
}
