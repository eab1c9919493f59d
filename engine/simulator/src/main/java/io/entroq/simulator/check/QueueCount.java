package io.entroq.simulator.check;

import io.entroq.simulator.undo.Cells;

/**
 * The figures of a queue, counted.
 *
 * @param tasks all of it
 * @param available those whose time has come
 * @param claimed those whose time has not come and that were claimed before
 * @param held those whose time has not come and that are somebody's
 * @param claimsMax the most claims of any
 * @param oldestAgeMs for how long the available task with the earliest arrival has been due
 */
record QueueCount(
    long tasks, long available, long claimed, long held, long claimsMax, long oldestAgeMs) {

  /** The figures of a queue at a time that is not before the newest record. */
  static QueueCount of(Account account, int queue, long nowMs) {
    Cells cells = account.cells;
    int ready = cells.ref(queue + Queues.READY_COUNT);
    int waiting = account.queues.waitingCount(queue);
    long available = 0;
    long claimed = 0;
    long held = 0;
    long claimsMax = 0;
    long oldestAgeMs = 0;
    for (int i = 0; i < ready + waiting; i++) {
      int task =
          i < ready ? account.queues.readyAt(queue, i) : account.queues.waitingAt(queue, i - ready);
      long claims = cells.get(task + Tasks.CLAIMS);
      long ageMs = nowMs - cells.get(task + Tasks.ARRIVAL_MS);
      claimsMax = Math.max(claimsMax, claims);
      if (cells.get(task + Tasks.ARRIVAL_MS) <= nowMs) {
        available++;
        oldestAgeMs = Math.max(oldestAgeMs, ageMs);
      } else {
        claimed += claims > 0 ? 1 : 0;
        held += isHeld(cells, task) ? 1 : 0;
      }
    }
    return new QueueCount((long) ready + waiting, available, claimed, held, claimsMax, oldestAgeMs);
  }

  private static boolean isHeld(Cells cells, int task) {
    return (cells.get(task + Tasks.CLAIMANT_HIGH) | cells.get(task + Tasks.CLAIMANT_LOW)) != 0;
  }

  /** Those whose time has not come and that were never claimed. */
  long future() {
    return tasks - available - claimed;
  }
}
