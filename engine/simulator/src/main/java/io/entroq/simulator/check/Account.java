package io.entroq.simulator.check;

import io.entroq.simulator.coverage.Rule;
import io.entroq.simulator.coverage.RuleCounts;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.NameTable;

/** The ledger's model of one engine's state. */
final class Account {
  /** An arrival time older than this means now. */
  private static final long YEAR_MS = 365L * 24 * 60 * 60 * 1_000;

  final Cells cells = new Cells();
  final NameTable names = new NameTable();
  final Tasks tasks = new Tasks(cells);
  final Queues queues = new Queues(cells);
  final Waiters waiters = new Waiters(cells, queues);
  final ClaimantTexts holders = new ClaimantTexts(cells);
  final Clients clients = new Clients(cells);

  /** Namespaces of docs, and their keys. */
  final NameTable texts = new NameTable();

  final Docs docs = new Docs(cells, texts);
  final Receipts receipts = new Receipts(cells, clients, holders, docs);
  final Answers answers = new Answers(names, texts, docs);

  /** What the rules have decided; not part of the state, so never undone. */
  final RuleCounts rules = new RuleCounts();

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

  /**
   * The effective arrival time of an item.
   *
   * @param byMs a duration from now on, if not 0
   * @param atMs otherwise an instant, if above 0
   */
  long arrivalMs(long byMs, long atMs, long now) {
    if (byMs != 0) {
      long sum = now + byMs;
      boolean isBeyond = byMs > 0 ? sum < now : sum > now;
      rules.countIf(isBeyond, Rule.ARRIVAL_DURATION_SATURATES);
      rules.count(byMs > 0 ? Rule.ARRIVAL_BY_DURATION : Rule.ARRIVAL_BY_NEGATIVE_DURATION);
      long end = byMs > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
      return isBeyond ? end : sum;
    }
    if (atMs <= 0) {
      rules.count(Rule.ARRIVAL_UNSET);
      return now;
    }
    boolean isLongAgo = atMs < now - YEAR_MS;
    rules.count(isLongAgo ? Rule.ARRIVAL_LONG_AGO : Rule.ARRIVAL_AT_INSTANT);
    return isLongAgo ? now : atMs;
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
