package io.entroq.simulator.policy;

import io.entroq.simulator.coverage.Rule;
import io.entroq.simulator.coverage.RuleCounts;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.KeyTable;

/** The contents that copies of one insert have together, and how many still have them. */
public final class SharedContents {
  private static final int CONTENT = 2;
  private static final int ENTRY_CELLS = 3;

  private static final int BYTES = 0;
  private static final int COPIES = 1;
  private static final int CONTENT_CELLS = 2;

  private final Cells cells;
  private final RuleCounts rules;

  /** By the block of the task. */
  private final KeyTable entries;

  /**
   * @param rules counts what becomes of contents
   */
  public SharedContents(Cells cells, RuleCounts rules) {
    this.cells = cells;
    this.rules = rules;
    entries = new KeyTable(cells);
  }

  /** A content without copies. */
  public int create(long bytes) {
    int content = cells.allocateCleared(CONTENT_CELLS);
    cells.set(content + BYTES, bytes);
    return content;
  }

  /** A task is a copy. */
  public void add(int task, int content) {
    int entry = cells.allocateCleared(ENTRY_CELLS);
    cells.set(entry, task);
    cells.set(entry + CONTENT, content);
    entries.add(entry);
    cells.add(content + COPIES, 1);
  }

  /**
   * A task gives up its content.
   *
   * @param ownBytes of the content, if the task shares it with none
   * @return how many bytes nobody has any more
   */
  public long release(int task, long ownBytes) {
    int entry = entries.find(task, 0);
    if (entry == Cells.NONE) {
      return ownBytes;
    }
    int content = cells.ref(entry + CONTENT);
    entries.remove(entry);
    cells.free(entry, ENTRY_CELLS);
    cells.add(content + COPIES, -1);
    boolean isLeft = cells.get(content + COPIES) > 0;
    rules.count(isLeft ? Rule.COPY_LEAVES_ITS_CONTENT : Rule.COPY_FREES_ITS_CONTENT);
    if (isLeft) {
      return 0;
    }
    long bytes = cells.get(content + BYTES);
    cells.free(content, CONTENT_CELLS);
    return bytes;
  }
}
