package io.entroq.simulator.check;

import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.KeyTable;
import java.util.Locale;

/** The tasks in the account: blocks found by id. */
final class Tasks {
  static final int HIGH = 0;
  static final int LOW = 1;

  /** Hash of the text of the id; 0 if the key determines it. */
  static final int ID_TEXT = 2;

  static final int VERSION = 3;

  /** The block of its queue. */
  static final int QUEUE = 4;

  static final int ARRIVAL_MS = 5;
  static final int CLAIMANT_HIGH = 6;
  static final int CLAIMANT_LOW = 7;
  static final int CLAIMANT_TEXT = 8;
  static final int CLAIMS = 9;
  static final int ATTEMPT = 10;

  /** Hash of kind and bytes of the value. */
  static final int VALUE = 11;

  static final int ERR = 12;
  static final int CREATED_MS = 13;
  static final int MODIFIED_MS = 14;

  /** Bytes of value and error text. */
  static final int CONTENT_BYTES = 15;

  /** The record that inserted it. A reused id starts again at the first version. */
  static final int INSERTED_AT = 16;

  /** Position among the available or the waiting tasks of its queue, from 1. */
  static final int POSITION = 17;

  static final int IS_WAITING = 18;

  /** Orders waiting tasks of equal arrival time by when they began to wait. */
  static final int ORDER = 19;

  /** Neighbors among the available tasks, in the order in which they became available. */
  static final int OLDER = 20;

  static final int YOUNGER = 21;

  /** Whether the last write undid a claim. */
  static final int IS_GIVEN_BACK = 22;

  private static final int CELL_COUNT = 23;

  private final Cells cells;
  private final KeyTable byId;

  Tasks(Cells cells) {
    this.cells = cells;
    byId = new KeyTable(cells);
  }

  /** The task with the id, or {@link Cells#NONE}. */
  int find(long high, long low) {
    return byId.find(high, low);
  }

  /** A new task. The caller sets everything but the id. */
  int add(long high, long low) {
    int task = cells.allocate(CELL_COUNT);
    cells.set(task + HIGH, high);
    cells.set(task + LOW, low);
    byId.add(task);
    return task;
  }

  void remove(int task) {
    byId.remove(task);
    cells.free(task, CELL_COUNT);
  }

  int size() {
    return byId.size();
  }

  /** The bound of the index of {@link #at}. */
  int places() {
    return byId.places();
  }

  /** The task at an index of the hash table, or {@link Cells#NONE}. */
  int at(int place) {
    return byId.at(place);
  }

  /** Whether a task still exists at the version of a receipt. */
  boolean isUnchanged(int task, long version, long insertedAt) {
    return task != Cells.NONE
        && cells.get(task + VERSION) == version
        && cells.get(task + INSERTED_AT) == insertedAt;
  }

  /** An id as printed. */
  static String name(long high, long low) {
    return String.format(Locale.ROOT, "%016x%016x", high, low);
  }

  String name(int task) {
    return name(cells.get(task + HIGH), cells.get(task + LOW));
  }
}
