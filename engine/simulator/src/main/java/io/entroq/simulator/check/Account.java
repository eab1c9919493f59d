package io.entroq.simulator.check;

import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.NameTable;

/** The ledger's model of one engine's state. */
final class Account {
  final Cells cells = new Cells();
  final NameTable names = new NameTable();
  final Tasks tasks = new Tasks(cells);
  final Queues queues = new Queues(cells);
  final Waiters waiters = new Waiters(cells, queues);
  final ClaimantTexts holders = new ClaimantTexts(cells);
  final Clients clients = new Clients(cells);
  final Receipts receipts = new Receipts(cells, clients, holders);

  /** Namespaces of docs, and their keys. */
  final NameTable texts = new NameTable();

  final Docs docs = new Docs(cells, texts);
  final Answers answers = new Answers(names, texts, docs);
  private final int level = cells.allocateCleared(2);
  private final int contentBytes = level + 1;

  /** The last record in the account, and its log time. */
  long sequence;

  long nowMs;

  int level() {
    return cells.ref(level);
  }

  void level(int to) {
    cells.set(level, to);
  }

  /** Bytes of all values and error texts. */
  long contentBytes() {
    return cells.get(contentBytes);
  }

  void addContentBytes(long delta) {
    cells.add(contentBytes, delta);
  }

  String queueName(int queue) {
    return names.text(cells.ref(queue + Queues.NAME));
  }

  /** The earliest log time at which a tick is due; in the past if it is overdue. */
  long nextDeadlineMs() {
    if (queues.firstToServe() != Cells.NONE) {
      return Long.MIN_VALUE;
    }
    return Math.min(queues.firstWatchedMs(), waiters.firstDeadlineMs());
  }

  // Comparing reported tasks with the account.

  /** A claimed or listed task must equal the account in every field. */
  void expectTask(Invariant otherwise, int reported, int task) {
    for (int field = Tasks.HIGH; field <= Tasks.CONTENT_BYTES; field++) {
      expectField(otherwise, field, reported, task, known(task, field));
    }
  }

  /**
   * A written task must equal the account. The answer may leave out what the caller has sent, but
   * then all of it.
   */
  void expectWritten(Invariant otherwise, int reported, int task) {
    boolean isShort = answers.get(reported + Tasks.QUEUE) == 0;
    for (int field = Tasks.HIGH; field <= Tasks.CONTENT_BYTES; field++) {
      long expected = isShort && isSentByCaller(field) ? 0 : known(task, field);
      expectField(otherwise, field, reported, task, expected);
    }
  }

  private void expectField(Invariant otherwise, int field, int reported, int task, long expected) {
    long actual = answers.get(reported + field);
    if (actual != expected) {
      throw wrongField(otherwise, field, task, expected, actual);
    }
  }

  private long known(int task, int field) {
    long value = cells.get(task + field);
    return field == Tasks.QUEUE ? cells.get((int) value + Queues.NAME) : value;
  }

  private static boolean isSentByCaller(int field) {
    return switch (field) {
      case Tasks.QUEUE, Tasks.ATTEMPT, Tasks.VALUE, Tasks.ERR, Tasks.CONTENT_BYTES -> true;
      default -> false;
    };
  }

  private Violation wrongField(
      Invariant otherwise, int field, int task, long expected, long actual) {
    Invariant invariant =
        switch (field) {
          case Tasks.VALUE, Tasks.ERR, Tasks.ATTEMPT, Tasks.CREATED_MS, Tasks.CONTENT_BYTES ->
              Invariant.VALUE_INTACT;
          default -> invariantOf(otherwise, field, task);
        };
    String name = FIELD_NAMES[field];
    return invariant.broken(tasks.name(task), name + " " + expected, name + " " + actual);
  }

  private Invariant invariantOf(Invariant otherwise, int field, int task) {
    if (cells.get(task + Tasks.IS_GIVEN_BACK) != 0) {
      return Invariant.GIVEN_BACK;
    }
    return field == Tasks.VERSION ? Invariant.VERSIONS_BY_ONE : otherwise;
  }

  private static final String[] FIELD_NAMES = {
    "id (high)",
    "id (low)",
    "text of the id",
    "version",
    "queue",
    "arrival",
    "claimant (high)",
    "claimant (low)",
    "text of the claimant",
    "claims",
    "attempt",
    "value",
    "err",
    "created",
    "modified",
    "bytes of value and err"
  };
}
