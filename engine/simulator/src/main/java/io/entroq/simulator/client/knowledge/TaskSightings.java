package io.entroq.simulator.client.knowledge;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.Arrays;
import java.util.Locale;

/**
 * What all clients together last learned about tasks: a table of bounded size that compares each
 * answer with the previous one about the same task. Evicted tasks are not compared.
 *
 * <p>Tasks that were inserted without identity are left out, because a duplicated request may
 * insert them again.
 */
public final class TaskSightings {
  private static final int SHIFT = 13;
  private static final int MASK = (1 << SHIFT) - 1;

  private static final int ID_HIGH = 0;
  private static final int ID_LOW = 1;
  private static final int GENERATION = 2;
  private static final int VERSION = 3;
  private static final int CLAIMS = 4;
  private static final int SINCE_MS = 5;
  private static final int UNTIL_MS = 6;
  private static final int CALL = 7;
  private static final int QUEUE = 8;
  private static final int STRIDE = 9;

  /** Marks a deleted task. */
  private static final long GONE = -1;

  private final long[] table = new long[STRIDE << SHIFT];

  /**
   * An answer claims this task.
   *
   * @param isFirst whether it is the first answer; if not, its holder may have written it since
   */
  public void claimed(KnownTask task, long sinceMs, long call, boolean isFirst) {
    if (TaskIds.isLoose(task.idHigh)) {
      return;
    }
    int at = at(task.idHigh, task.idLow);
    if (isSame(at, task)) {
      int order = Long.compare(task.version, table[at + VERSION]);
      if (table[at + CALL] == GONE) {
        check(order <= 0, Invariant.NO_PHANTOM, task, at, sinceMs);
        return;
      }
      if (order == 0) {
        check(table[at + CALL] == call, Invariant.VERSIONS_BY_ONE, task, at, sinceMs);
        return;
      }
      if (order < 0) {
        checkBefore(at, task, sinceMs);
        return;
      }
      checkBehind(at, task, sinceMs);
    } else if (isOlderInsert(at, task)) {
      return;
    }
    if (isFirst) {
      put(at, task, sinceMs, task.arrivalMs, call);
    }
  }

  /** The table knows an earlier version. */
  private void checkBehind(int at, KnownTask task, long sinceMs) {
    check(sinceMs >= table[at + SINCE_MS], Invariant.TIME_NEVER_BACK, task, at, sinceMs);
    boolean isLive = sinceMs < table[at + UNTIL_MS];
    long others = task.version - table[at + VERSION] - (task.claims - table[at + CLAIMS]);
    // Giving a claim back raises the version and lowers the number of claims.
    check(!isLive || others >= 2, Invariant.ONE_LEASE, task, at, sinceMs);
  }

  /** The table knows a later version: this answer is late or repeated. */
  private void checkBefore(int at, KnownTask task, long sinceMs) {
    check(sinceMs <= table[at + SINCE_MS], Invariant.TIME_NEVER_BACK, task, at, sinceMs);
    boolean isLive = table[at + SINCE_MS] < task.arrivalMs;
    long others = table[at + VERSION] - task.version - (table[at + CLAIMS] - task.claims);
    // If its holder has written it since, nothing can be checked.
    check(!isLive || others > 0, Invariant.ONE_LEASE, task, at, sinceMs);
  }

  /** A client is about to write its task, so the lease no longer counts. */
  public void touched(KnownTask task) {
    int at = at(task.idHigh, task.idLow);
    if (isSame(at, task)) {
      table[at + UNTIL_MS] = table[at + SINCE_MS];
    }
  }

  /** Its holder has renewed the lease of a task, or somebody has ended it. */
  public void renewed(KnownTask task, long sinceMs, long call) {
    if (TaskIds.isLoose(task.idHigh)) {
      return;
    }
    int at = at(task.idHigh, task.idLow);
    if (!isSame(at, task) || table[at + CALL] == GONE || task.version < table[at + VERSION]) {
      return;
    }
    if (task.version == table[at + VERSION]) {
      check(table[at + CALL] == call, Invariant.VERSIONS_BY_ONE, task, at, sinceMs);
      return;
    }
    check(sinceMs >= table[at + SINCE_MS], Invariant.TIME_NEVER_BACK, task, at, sinceMs);
    put(at, task, sinceMs, task.arrivalMs, call);
  }

  /** Its holder has deleted a task at this version. */
  public void deleted(KnownTask task) {
    if (TaskIds.isLoose(task.idHigh)) {
      return;
    }
    int at = at(task.idHigh, task.idLow);
    if (isSame(at, task)) {
      boolean isAlready = table[at + CALL] == GONE || table[at + VERSION] > task.version;
      check(!isAlready, Invariant.COMMITTED_ONCE, task, at, 0);
    } else if (isOlderInsert(at, task)) {
      return;
    }
    put(at, task, 0, 0, GONE);
  }

  private void put(int at, KnownTask task, long sinceMs, long untilMs, long call) {
    table[at + ID_HIGH] = task.idHigh;
    table[at + ID_LOW] = task.idLow;
    table[at + GENERATION] = task.generation;
    table[at + VERSION] = task.version;
    table[at + CLAIMS] = task.claims;
    table[at + SINCE_MS] = sinceMs;
    table[at + UNTIL_MS] = untilMs;
    table[at + CALL] = call;
    table[at + QUEUE] = task.queue;
  }

  /**
   * Finds a leased task.
   *
   * @param into receives id, version, claims and queue
   * @return the end of the lease; 0 if none was found
   */
  public long findLeased(SeededRandom random, long nowMs, KnownTask into) {
    int slot = random.below(MASK + 1);
    for (int i = 0; i <= MASK; i++) {
      int at = (slot + i & MASK) * STRIDE;
      if (table[at + UNTIL_MS] > nowMs && table[at + CALL] != GONE) {
        into.idHigh = table[at + ID_HIGH];
        into.idLow = table[at + ID_LOW];
        into.generation = table[at + GENERATION];
        into.version = (int) table[at + VERSION];
        into.claims = (int) table[at + CLAIMS];
        into.queue = (int) table[at + QUEUE];
        return table[at + UNTIL_MS];
      }
    }
    return 0;
  }

  /** Forgets everything, after a loss. */
  public void clear() {
    Arrays.fill(table, 0);
  }

  private static int at(long idHigh, long idLow) {
    return ((int) SeededRandom.mix(idHigh ^ idLow) & MASK) * STRIDE;
  }

  private boolean isSame(int at, KnownTask task) {
    return table[at + ID_LOW] == task.idLow
        && table[at + ID_HIGH] == task.idHigh
        && table[at + GENERATION] == task.generation;
  }

  private boolean isOlderInsert(int at, KnownTask task) {
    return table[at + ID_LOW] == task.idLow
        && table[at + ID_HIGH] == task.idHigh
        && table[at + GENERATION] > task.generation;
  }

  private void check(boolean isGood, Invariant rule, KnownTask task, int at, long sinceMs) {
    if (!isGood) {
      throw rule.broken(
          task,
          String.format(
              Locale.ROOT,
              "agreement with version %d, claims %d, at %d ms, leased until %d ms",
              table[at + VERSION],
              table[at + CLAIMS],
              table[at + SINCE_MS],
              table[at + UNTIL_MS]),
          String.format(
              Locale.ROOT,
              "claims %d, at %d ms, leased until %d ms",
              task.claims,
              sinceMs,
              task.arrivalMs));
    }
  }
}
