package io.entroq.simulator.check;

import io.entroq.simulator.coverage.Rule;
import io.entroq.simulator.coverage.RuleCounts;
import io.entroq.simulator.policy.Hold;
import io.entroq.simulator.policy.PolicyTable;
import io.entroq.simulator.policy.Pools;
import io.entroq.simulator.policy.RememberedIds;
import io.entroq.simulator.policy.SharedContents;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.ClaimantTexts;
import io.entroq.simulator.undo.NameTable;

/** The ledger's model of one engine's state. */
final class Account {
  /** From this behavior level on there are policies, attributes and failures. */
  static final int LEVEL_OF_POLICIES = 8;

  /** From this behavior level on there are pools and topics. */
  static final int LEVEL_OF_POOLS = 9;

  /** From here on, tasks may be taken back. */
  static final int LEVEL_OF_TAKE_BACK = 11;

  /** An arrival time older than this means now. */
  private static final long YEAR_MS = 365L * 24 * 60 * 60 * 1_000;

  /** What the rules have decided; not part of the state, so never undone. */
  final RuleCounts rules = new RuleCounts();

  final Cells cells = new Cells();
  private final int level = cells.allocateCleared(2);
  private final int contentBytes = level + 1;
  final NameTable names = new NameTable();
  final Tasks tasks = new Tasks(cells);
  final PolicyTable policies = new PolicyTable(cells);
  final Queues queues = new Queues(cells, policies, names, level);
  final Pools pools = queues.pools;
  final SharedContents shared = new SharedContents(cells, rules);
  final RememberedIds remembered = new RememberedIds(cells);
  final Waiters waiters = new Waiters(cells, queues);
  final ClaimantTexts holders = new ClaimantTexts(cells);
  final Clients clients = new Clients(cells);

  /** Namespaces of docs, and their keys. */
  final NameTable texts = new NameTable();

  final Docs docs = new Docs(cells, texts);
  final Receipts receipts = new Receipts(cells, clients, holders, docs);
  final Answers answers = new Answers(names, texts, docs, policies);

  /** The last record in the account, and its log time. */
  long sequence;

  long nowMs;

  Account() {
    pools.countIn(rules);
  }

  /** Whether the log has policies, attributes and failures. */
  boolean hasPolicies() {
    return level() >= LEVEL_OF_POLICIES;
  }

  int level() {
    return cells.ref(level);
  }

  void level(int to) {
    cells.set(level, to);
  }

  /** Bytes of all values and error texts; of copies that share them, once. */
  long contentBytes() {
    return cells.get(contentBytes);
  }

  void addContentBytes(long delta) {
    cells.add(contentBytes, delta);
  }

  /** A task, which has its old number of bytes still, gets a content of its own; -1: none. */
  void replaceContent(int task, long bytes) {
    long freed = shared.release(task, cells.get(task + Tasks.CONTENT_BYTES));
    addContentBytes(Math.max(0, bytes) - freed);
  }

  byte[] nameBytes(int queue) {
    return names.bytes(cells.ref(queue + Queues.NAME));
  }

  /** Whether a queue has more than its policy allows. */
  boolean isBeyond(int queue, int policy) {
    if (policy == Cells.NONE) {
      return false;
    }
    long tasksMax = cells.get(policy + PolicyTable.TASKS_MAX);
    long bytesMax = cells.get(policy + PolicyTable.BYTES_MAX);
    return (tasksMax != 0 && cells.get(queue + Queues.TASKS) > tasksMax)
        || (bytesMax != 0 && cells.get(queue + Queues.BYTES) > bytesMax);
  }

  String queueName(int queue) {
    return names.text(cells.ref(queue + Queues.NAME));
  }

  /** The earliest log time at which a tick is due; in the past if it is overdue. */
  long nextDeadlineMs() {
    long endMs =
        Math.min(
            waiters.firstDeadlineMs(), Math.min(queues.firstExpiryMs(), queues.firstCountedMs()));
    return Math.min(endMs, nextStartMs());
  }

  /** When a waiting claim gets a task next, as far as time alone decides it. */
  long nextStartMs() {
    if (policies.epoch() > 0) {
      return queues.firstEligibleMs(nowMs);
    }
    return queues.firstToServe() != Cells.NONE ? Long.MIN_VALUE : queues.firstWatchedMs();
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
    for (int field = Tasks.HIGH; field < Tasks.REPORTED_CELLS; field++) {
      expectField(otherwise, field, reported, task, known(task, field));
    }
  }

  /**
   * A written task must equal the account. The answer may leave out what the caller has sent, but
   * then all of it. The queue of a copy for a group is not sent by the caller.
   */
  void expectWritten(Invariant otherwise, int reported, int task) {
    boolean isCopy = answers.get(reported + Tasks.QUEUE) != 0 && isContentLeftOut(reported);
    boolean isShort = isCopy || answers.get(reported + Tasks.QUEUE) == 0;
    for (int field = Tasks.HIGH; field < Tasks.REPORTED_CELLS; field++) {
      boolean isLeft = isShort && isSentByCaller(field) && !(isCopy && field == Tasks.QUEUE);
      long expected = isLeft ? 0 : known(task, field);
      boolean isLeftOut = isShort && field >= Tasks.HOLD && answers.get(reported + field) == 0;
      if (!isLeftOut) {
        expectField(otherwise, field, reported, task, expected);
      }
    }
  }

  private boolean isContentLeftOut(int reported) {
    return answers.get(reported + Tasks.VALUE) == 0
        && answers.get(reported + Tasks.ATTEMPT) == 0
        && answers.get(reported + Tasks.CONTENT_BYTES) == 0;
  }

  private void expectField(Invariant otherwise, int field, int reported, int task, long expected) {
    long actual = answers.get(reported + field);
    if (actual != expected) {
      throw wrongField(otherwise, field, task, expected, actual);
    }
  }

  private long known(int task, int field) {
    long value = cells.get(task + field);
    return switch (field) {
      case Tasks.QUEUE -> cells.get((int) value + Queues.NAME);
      case Tasks.HOLD -> Hold.isInFlight((int) value) ? 1 : 0;
      default -> value;
    };
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
          case Tasks.HOLD, Tasks.LAPSES -> Invariant.IN_FLIGHT_COUNTED;
          case Tasks.EXPIRES_MS, Tasks.TRACE, Tasks.ORIGIN, Tasks.REASON, Tasks.DEAD_AT_MS ->
              Invariant.ATTRIBUTES_STAY;
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
    "bytes of value and err",
    "in flight",
    "lapses",
    "expires",
    "trace",
    "origin",
    "reason",
    "dead at"
  };
}
