package io.entroq.simulator.check;

import io.entroq.simulator.text.CommandText;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.KeyTable;

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

  /** How it is held; answers and listings show whether it is in flight. */
  static final int HOLD = 16;

  /** Without one of a lease that has ended, but has not been seen to. */
  static final int LAPSES = 17;

  /** 0: not; -1: never. */
  static final int EXPIRES_MS = 18;

  /** Hashes of the trace, and of the name of the queue that the server moved it from. */
  static final int TRACE = 19;

  static final int ORIGIN = 20;
  static final int REASON = 21;
  static final int DEAD_AT_MS = 22;

  /** How many of the cells a report shows. */
  static final int REPORTED_CELLS = 23;

  /** The record that inserted it. A reused id starts again at the first version. */
  static final int INSERTED_AT = 23;

  /** Position among the available or the waiting tasks of its queue, from 1. */
  static final int POSITION = 24;

  static final int IS_WAITING = 25;

  /** Orders waiting tasks of equal arrival time by when they began to wait. */
  static final int ORDER = 26;

  /** Neighbors among the available tasks, in the order in which they became available. */
  static final int OLDER = 27;

  static final int YOUNGER = 28;

  /** Whether the last write undid a claim. */
  static final int IS_GIVEN_BACK = 29;

  /** Position among the tasks that expire, from 1. */
  static final int EXPIRY_POSITION = 30;

  /** Bytes of the error text alone. */
  static final int ERR_BYTES = 31;

  private static final int CELL_COUNT = 32;

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
    for (int cell = HOLD; cell < CELL_COUNT; cell++) {
      cells.set(task + cell, 0);
    }
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
    return CommandText.id(high, low);
  }

  String name(int task) {
    return name(cells.get(task + HIGH), cells.get(task + LOW));
  }
}
