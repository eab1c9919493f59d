package io.entroq.simulator.check;

import io.entroq.codec.command.ClaimDecoder;
import io.entroq.simulator.policy.Hold;
import io.entroq.simulator.policy.Pools;
import io.entroq.simulator.text.RecentCommands;
import io.entroq.simulator.undo.Cells;
import org.agrona.collections.IntArrayList;

/** How tasks are claimed and given back. The engine's random choices are taken from its answers. */
final class ClaimRules {
  /** A claim takes no further task once values and error texts reach this size. */
  static final long CLAIM_BYTES_MAX = 8L << 20;

  private static final int PASSED_OVER_MAX = 60;

  private final Account account;
  private final Cells cells;
  private final Queues queues;
  private final Fairness fairness;
  private final RecentCommands recent;
  private FailureRules failures;
  private final IntArrayList requested = new IntArrayList();
  private final IntArrayList taken = new IntArrayList();
  private long takenBytes;
  private long claimantHigh;
  private long claimantLow;
  private long claimantText;
  private long leaseMs;

  ClaimRules(Account account, Fairness fairness, RecentCommands recent) {
    this.account = account;
    this.cells = account.cells;
    this.queues = account.queues;
    this.fairness = fairness;
    this.recent = recent;
  }

  /** Clears the queues. */
  void clearQueues() {
    requested.clear();
  }

  /** Adds a queue to claim from; a repetition changes nothing. */
  void addQueue(int queue) {
    if (!requested.containsInt(queue)) {
      requested.addInt(queue);
    }
  }

  /** Says how tasks become ready that die then; before the first use. */
  void setFailures(FailureRules rules) {
    failures = rules;
  }

  /** Sets the queues of a claim. */
  void setQueues(ClaimDecoder claim) {
    clearQueues();
    for (int i = 0; i < claim.queueCount(); i++) {
      addQueue(
          queues.of(
              account.names.number(claim.buffer(), claim.queueOffset(i), claim.queueLength(i))));
    }
  }

  /** Lets the queues of the claim follow the policies that were written. */
  void touchQueues() {
    for (int i = 0; i < requested.size(); i++) {
      queues.touch(requested.getInt(i));
    }
  }

  /** Sets the claimant and the length of the lease. */
  void setClaimant(long high, long low, long text, long lease) {
    claimantHigh = high;
    claimantLow = low;
    claimantText = text;
    leaseMs = lease;
  }

  /** Whether one of the queues has a task to claim. */
  boolean hasWork(long nowMs) {
    for (int i = 0; i < requested.size(); i++) {
      if (queues.mustStart(requested.getInt(i), nowMs)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks the tasks that an answer claimed and their number, leases them, and adds them to the
   * draft of the receipt.
   *
   * @return how many
   */
  int take(Step step, int answer, int limit, long bytesMax) {
    int count = (int) account.answers.get(answer + Answers.CLAIMED);
    long room = Math.min(bytesMax, CLAIM_BYTES_MAX);
    takenBytes = 0;
    taken.clear();
    for (int i = 0; i < count; i++) {
      if (i == limit || takenBytes >= room) {
        throw wrongCount(step, "no more than " + i, count);
      }
      account.pools.enter(step.nowMs);
      int task = choose(step, account.answers.claimed(answer, i));
      taken.addInt(task);
      takenBytes += cells.get(task + Tasks.CONTENT_BYTES);
    }
    if (count < limit && takenBytes < room) {
      account.pools.enter(step.nowMs);
      if (hasWork(step.nowMs)) {
        throw wrongCount(step, "more than " + count, count);
      }
    }
    for (int i = 0; i < count; i++) {
      lease(step, taken.getInt(i));
    }
    for (int i = 0; i < count; i++) {
      int task = taken.getInt(i);
      account.expectTask(Invariant.ANSWERS_EXACT, account.answers.claimed(answer, i), task);
      cells.set(task + Tasks.IS_GIVEN_BACK, 0);
      recent.addClaimed(
          account.answers.get(answer + Answers.REQUEST),
          cells.get(task + Tasks.HIGH),
          cells.get(task + Tasks.LOW),
          cells.get(task + Tasks.VERSION));
    }
    return count;
  }

  private static Violation wrongCount(Step step, String expected, int count) {
    return Invariant.CLAIMS_FIND_WORK.broken(step.name(), expected + " tasks for the claim", count);
  }

  /** Bytes of values and error texts of the tasks that were taken last. */
  long takenBytes() {
    return takenBytes;
  }

  /** Throws the violation of an answer that claims tasks although none is available. */
  void failUnavailable(Step step, int answer) {
    for (int i = 0; i < account.answers.get(answer + Answers.CLAIMED); i++) {
      requireAvailable(step, find(account.answers.claimed(answer, i)));
    }
  }

  private int find(int reported) {
    long high = account.answers.get(reported + Tasks.HIGH);
    long low = account.answers.get(reported + Tasks.LOW);
    int task = account.tasks.find(high, low);
    if (task == Cells.NONE) {
      throw Invariant.NO_PHANTOM.broken(Tasks.name(high, low), "a task that is there", "none");
    }
    return task;
  }

  private int choose(Step step, int reported) {
    int task = find(reported);
    requireAvailable(step, task);
    int queue = cells.ref(task + Tasks.QUEUE);
    countQueueChoice(queue, step.nowMs);
    failures.promote(step, queue);
    int next = queues.nextInOrder(queue);
    if (next != task) {
      requireReady(task);
    }
    if (next == Cells.NONE) {
      countTaskChoice(queue, task);
    } else if (next != task) {
      throw Invariant.IN_ORDER.broken(
          account.queueName(queue), account.tasks.name(next), account.tasks.name(task));
    }
    if (account.pools.isMember(queue)) {
      requireFirstInPool(queue, step.nowMs);
      account.pools.started(queue, step.nowMs);
    }
    // What comes first in strict order may start before its turn to be made ready.
    queues.settle(task, step.nowMs);
    queues.started(task, leaseMs > 0, step.nowMs);
    queues.detach(task);
    return task;
  }

  private void requireFirstInPool(int queue, long nowMs) {
    if (queues.isBehind(nowMs)) {
      account.pools.forgetTimes();
      return;
    }
    Pools.Passed passed = account.pools.choose(queue, requested.toIntArray(), nowMs);
    if (passed != null) {
      throw (passed.isByRank() ? Invariant.RANK_FIRST : Invariant.FAIR_AMONG_MEMBERS)
          .broken(passed.pool(), "a task of " + passed.member(), account.queueName(queue));
    }
  }

  /** How many of the names of the claim permit a task of a queue. */
  private int covers(int queue) {
    int covers = 0;
    for (int i = 0; i < requested.size(); i++) {
      covers += account.pools.covers(requested.getInt(i), queue) ? 1 : 0;
    }
    return covers;
  }

  private void requireAvailable(Step step, int task) {
    int queue = cells.ref(task + Tasks.QUEUE);
    if (covers(queue) == 0) {
      throw Invariant.ANSWERS_EXACT.broken(
          account.tasks.name(task), "a task of a requested queue", account.queueName(queue));
    }
    long arrivalMs = cells.get(task + Tasks.ARRIVAL_MS);
    if (arrivalMs > step.nowMs) {
      boolean isLeased =
          cells.get(task + Tasks.CLAIMS) > 0
              && (cells.get(task + Tasks.CLAIMANT_HIGH) | cells.get(task + Tasks.CLAIMANT_LOW))
                  != 0;
      throw (isLeased ? Invariant.ONE_LEASE : Invariant.NOT_BEFORE_ARRIVAL)
          .broken(account.tasks.name(task), "not before " + arrivalMs, "at " + step.nowMs);
    }
    Invariant obstacle = queues.obstacleOfAny(queue, step.nowMs);
    if (obstacle != null) {
      throw obstacle.broken(
          account.tasks.name(task),
          "no start in " + account.queueName(queue),
          "one at " + step.nowMs);
    }
    if (cells.get(task + Tasks.POSITION) == 0) {
      throw Invariant.ONE_LEASE.broken(account.tasks.name(task), "once in a claim", "twice");
    }
  }

  /** Only a limited number of tasks that came due together become ready per choice. */
  private void requireReady(int task) {
    if (cells.get(task + Tasks.IS_WAITING) != 0) {
      throw Invariant.FAIR_CHOICE.broken(
          account.tasks.name(task),
          "one of those in line",
          "one due at " + cells.get(task + Tasks.ARRIVAL_MS) + ", after all that are in line");
    }
  }

  private void countQueueChoice(int queue, long nowMs) {
    if (requested.size() < 2 || queues.isBehind(nowMs) || isAnyWithinAnother()) {
      return;
    }
    int withWork = 0;
    int index = 0;
    for (int i = 0; i < requested.size(); i++) {
      if (account.pools.covers(requested.getInt(i), queue)) {
        index = withWork;
      }
      if (queues.mayStart(requested.getInt(i), nowMs)) {
        withWork++;
      }
    }
    if (withWork > 1) {
      fairness.queueChosen(index, withWork);
    }
  }

  /** Whether the claim names a pool and a member of it, so that its choice does not always show. */
  private boolean isAnyWithinAnother() {
    for (int i = 0; i < requested.size(); i++) {
      if (covers(requested.getInt(i)) > 1) {
        return true;
      }
    }
    return false;
  }

  private void countTaskChoice(int queue, int task) {
    int count = cells.ref(queue + Queues.READY_COUNT);
    if (count < 2) {
      return;
    }
    int oldest = cells.ref(queue + Queues.OLDEST);
    long place = cells.get(task + Tasks.POSITION);
    long others = place > cells.get(oldest + Tasks.POSITION) ? place - 2 : place - 1;
    fairness.taskChosen(task == oldest, (int) others, count);
    long again = cells.get(queue + Queues.READY_CLAIMED) - (wasClaimed(oldest) ? 1 : 0);
    fairness.returnedChosen(task != oldest && wasClaimed(task), (int) again, count);
    if (task != oldest) {
      cells.add(queue + Queues.PASSED_OVER, 1);
      if (cells.get(queue + Queues.PASSED_OVER) > PASSED_OVER_MAX) {
        throw Invariant.NOBODY_STARVES.broken(
            account.tasks.name(oldest),
            "passed over " + PASSED_OVER_MAX + " times at most",
            cells.get(queue + Queues.PASSED_OVER) + " times in " + account.queueName(queue));
      }
    }
  }

  private boolean wasClaimed(int task) {
    return cells.get(task + Tasks.CLAIMS) > 0;
  }

  private void lease(Step step, int task) {
    long formerArrivalMs = cells.get(task + Tasks.ARRIVAL_MS);
    long formerHigh = cells.get(task + Tasks.CLAIMANT_HIGH);
    long formerLow = cells.get(task + Tasks.CLAIMANT_LOW);
    long formerText = cells.get(task + Tasks.CLAIMANT_TEXT);
    cells.add(task + Tasks.VERSION, 1);
    cells.add(task + Tasks.CLAIMS, 1);
    cells.set(task + Tasks.ARRIVAL_MS, saturatedSum(step.nowMs, leaseMs));
    cells.set(task + Tasks.MODIFIED_MS, step.nowMs);
    claimant(task, claimantHigh, claimantLow, claimantText);
    queues.attach(task, step.nowMs);
    account.receipts.claimed(task, formerArrivalMs, formerHigh, formerLow, formerText);
  }

  void claimant(int task, long high, long low, long text) {
    account.holders.acquire(high, low, text);
    releaseClaimant(task);
    cells.set(task + Tasks.CLAIMANT_HIGH, high);
    cells.set(task + Tasks.CLAIMANT_LOW, low);
    cells.set(task + Tasks.CLAIMANT_TEXT, text);
  }

  void releaseClaimant(int task) {
    account.holders.release(
        cells.get(task + Tasks.CLAIMANT_HIGH),
        cells.get(task + Tasks.CLAIMANT_LOW),
        cells.get(task + Tasks.CLAIMANT_TEXT));
  }

  static long saturatedSum(long nowMs, long leaseMs) {
    long sum = nowMs + leaseMs;
    return sum < nowMs ? Long.MAX_VALUE : sum;
  }

  /**
   * Restores arrival time and claimant, removes one claim and raises the version of each task of a
   * receipt that has not changed since it was claimed.
   *
   * @return whether there was any
   */
  boolean giveBack(int receipt, long nowMs) {
    boolean any = false;
    int entry = account.receipts.claimed(receipt);
    for (int i = 0; i < cells.ref(receipt + Receipts.CLAIMED); i++) {
      int task = unchanged(entry);
      if (task != Cells.NONE) {
        giveBack(entry, task, nowMs);
        any = true;
      }
      entry += Receipts.CLAIMED_CELLS;
    }
    return any;
  }

  private void giveBack(int entry, int task, long nowMs) {
    queues.settle(task, nowMs);
    boolean isLapsed = cells.get(task + Tasks.HOLD) == Hold.LAPSED;
    cells.add(task + Tasks.LAPSES, isLapsed ? -1 : 0);
    if (Hold.isInFlight(cells.ref(task + Tasks.HOLD))) {
      queues.comeFirst(task);
    }
    queues.hold(task, Hold.NONE);
    queues.detach(task);
    cells.add(task + Tasks.VERSION, 1);
    cells.add(task + Tasks.CLAIMS, -1);
    cells.set(task + Tasks.IS_GIVEN_BACK, 1);
    cells.set(task + Tasks.MODIFIED_MS, nowMs);
    cells.set(task + Tasks.ARRIVAL_MS, cells.get(entry + Receipts.FORMER_ARRIVAL_MS));
    claimant(
        task,
        cells.get(entry + Receipts.FORMER_HIGH),
        cells.get(entry + Receipts.FORMER_LOW),
        cells.get(entry + Receipts.FORMER_TEXT));
    queues.attach(task, nowMs);
  }

  /** The task of a receipt's entry if it has not changed since, else {@link Cells#NONE}. */
  int unchanged(int entry) {
    int task = account.tasks.find(cells.get(entry), cells.get(entry + 1));
    boolean isUnchanged =
        account.tasks.isUnchanged(
            task, cells.get(entry + Receipts.VERSION), cells.get(entry + Receipts.INSERTED_AT));
    return isUnchanged ? task : Cells.NONE;
  }
}
