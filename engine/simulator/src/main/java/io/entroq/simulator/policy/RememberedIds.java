package io.entroq.simulator.policy;

import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.KeyTable;

/** Ids of tasks that are gone, which stay taken for a while. */
public final class RememberedIds {
  private static final int UNTIL_MS = 2;
  private static final int CELL_COUNT = 3;

  private final Cells cells;
  private final KeyTable byId;

  public RememberedIds(Cells cells) {
    this.cells = cells;
    byId = new KeyTable(cells);
  }

  /** Remembers an id until a time, or longer if it is so already. */
  public void add(long high, long low, long untilMs) {
    int entry = byId.find(high, low);
    if (entry == Cells.NONE) {
      entry = cells.allocateCleared(CELL_COUNT);
      cells.set(entry, high);
      cells.set(entry + 1, low);
      byId.add(entry);
    }
    cells.set(entry + UNTIL_MS, Math.max(untilMs, cells.get(entry + UNTIL_MS)));
  }

  /** Whether an id is taken by a task that is gone. */
  public boolean isTaken(long high, long low, long nowMs) {
    int entry = byId.find(high, low);
    return entry != Cells.NONE && cells.get(entry + UNTIL_MS) > nowMs;
  }

  /** Forgets what is not taken any more. */
  public void forget(long nowMs) {
    for (int place = byId.places() - 1; place >= 0; place--) {
      int entry = byId.at(place);
      if (entry != Cells.NONE && cells.get(entry + UNTIL_MS) <= nowMs) {
        byId.remove(entry);
        cells.free(entry, CELL_COUNT);
        place = byId.places();
      }
    }
  }
}
