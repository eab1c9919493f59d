package io.entroq.simulator.check;

import io.entroq.codec.message.Orders;
import io.entroq.engine.memory.Mix;
import io.entroq.simulator.policy.Hold;
import io.entroq.simulator.policy.PolicyTable;
import io.entroq.simulator.policy.Pools;
import io.entroq.simulator.undo.CellHeap;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.NameTable;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The queues: available tasks in order, waiting tasks by arrival time, waiting claims, and the
 * queues to serve. Their order is part of an engine's state, so everything but random choices can
 * be predicted.
 */
final class Queues implements Pools.Leaves {
  static final int NAME = 0;
  static final int TASKS = 1;

  /** A dense array of available tasks. The last one fills the gap of one that is removed. */
  private static final int READY = 2;

  private static final int READY_CAPACITY = 3;
  static final int READY_COUNT = 4;

  /** Heap of waiting tasks, and of due ones that no choice has made ready yet. */
  static final int WAITING = 5;

  static final int OLDEST = 8;
  private static final int YOUNGEST = 9;
  static final int FIRST_WAITER = 10;
  static final int LAST_WAITER = 11;
  private static final int IS_TO_SERVE = 12;
  private static final int NEXT_TO_SERVE = 13;
  private static final int WATCH_POSITION = 14;

  /** How many choices in a row have passed over the oldest available task. */
  static final int PASSED_OVER = 15;

  /** Available tasks that were claimed before. */
  static final int READY_CLAIMED = 16;

  /** The policy that applies, and until when the queue is paused, as of an epoch. */
  private static final int POLICY = 17;

  private static final int PAUSED_UNTIL_MS = 18;
  private static final int RESOLVED_EPOCH = 19;

  /** The epoch whose limiters count the queue, and their counters. */
  private static final int TOUCHED_EPOCH = 20;

  private static final int COUNTERS = 21;

  /** Whether ended leases must be seen in time. */
  private static final int IS_COUNTING = COUNTERS + PolicyTable.LIMITERS_MAX;

  private static final int COUNTED_POSITION = IS_COUNTING + 1;

  /** The clock of the queue's own rate. */
  private static final int CLOCK_US = IS_COUNTING + 2;

  /** Tasks in flight, with those whose lease has ended without being seen to. */
  static final int IN_FLIGHT = IS_COUNTING + 3;

  /** Failures in a row. */
  static final int FAILURES = IS_COUNTING + 4;

  static final int BROKEN_UNTIL_MS = IS_COUNTING + 5;

  /**
   * The task that comes first in strict order, whether it is available or not. Meanwhile another
   * order may apply; when strict order does again, it still comes first.
   */
  static final int FRONT = IS_COUNTING + 6;

  /** Tasks that have died, since the queue has rules. */
  static final int DEAD = IS_COUNTING + 7;

  /** Bytes of values and error texts. */
  static final int BYTES = IS_COUNTING + 8;

  /** Neighbors among the queues with waiting claims. */
  static final int NEXT_WAITED = IS_COUNTING + 9;

  private static final int LAST_WAITED = IS_COUNTING + 10;
  private static final int NAME_HASH = IS_COUNTING + 11;

  /** Whether rules applied when the queue was touched last; then it counts outcomes. */
  private static final int IS_RULED = IS_COUNTING + 12;

  /** Leases that have ended without a word, since the queue has rules. */
  static final int LAPSED = IS_COUNTING + 13;

  /** Whether an engine has the queue: a policy of its name alone does not create it. */
  private static final int IS_THERE = IS_COUNTING + 14;

  /** Whether it was a pool with members besides itself when queues were removed last. */
  private static final int HAD_MEMBERS = IS_COUNTING + 15;

  /** The clock of the rate that it has as a pool. */
  private static final int POOL_CLOCK_US = IS_COUNTING + 16;

  private static final int CELL_COUNT = IS_COUNTING + 17;

  /** How many due tasks one choice makes ready. */
  private static final int PROMOTED_MAX = 256;

  private static final int READY_CAPACITY_MIN = 4;

  // Cells of the root block.
  private static final int DIRECTORY = 0;
  private static final int DIRECTORY_CAPACITY = 1;
  private static final int SERVE_FIRST = 2;
  private static final int SERVE_LAST = 3;
  private static final int LAST_ORDER = 4;
  private static final int FIRST_WAITED = 5;
  private static final int WATCHED = 6;
  private static final int COUNTED = WATCHED + CellHeap.CELLS;
  private static final int EXPIRING = COUNTED + CellHeap.CELLS;
  private static final int ROOT_CELLS = EXPIRING + CellHeap.CELLS;

  private final Cells cells;
  private final int root;
  private final CellHeap waiting;
  private final CellHeap watched;
  private final CellHeap counted;
  private final CellHeap expiring;
  private final PolicyTable policies;
  private final NameTable names;
  private final int level;

  /** Which queues are members of pools. */
  final Pools pools;

  /** How many queues have come and gone. */
  private long changes;

  /** Tasks whose leases have been seen to lapse since the last {@link #takeLapsed}. */
  private final IntArrayList lapsed = new IntArrayList();

  Queues(Cells cells, PolicyTable policies, NameTable names, int level) {
    this.cells = cells;
    this.policies = policies;
    this.names = names;
    this.level = level;
    root = cells.allocateCleared(ROOT_CELLS);
    waiting = new WaitingTasks(cells);
    watched = new WatchedQueues(cells, waiting, WATCH_POSITION);
    counted = new CountedQueues(cells, waiting);
    expiring = new ExpiringTasks(cells);
    pools = new Pools(cells, policies, this);
  }

  /**
   * Queues by the time of the first of their waiting tasks, then by name as engines order names.
   */
  private static final class CountedQueues extends CellHeap {
    private final CellHeap waiting;

    CountedQueues(Cells cells, CellHeap waiting) {
      super(cells, COUNTED_POSITION);
      this.waiting = waiting;
    }

    @Override
    public boolean before(int a, int b) {
      long dueA = cells.get(waiting.first(a + WAITING) + Tasks.ARRIVAL_MS);
      long dueB = cells.get(waiting.first(b + WAITING) + Tasks.ARRIVAL_MS);
      return dueA < dueB || (dueA == dueB && cells.get(a + NAME_HASH) < cells.get(b + NAME_HASH));
    }
  }

  /** By time, then by id: high half first, both as signed numbers. */
  private static final class ExpiringTasks extends CellHeap {
    ExpiringTasks(Cells cells) {
      super(cells, Tasks.EXPIRY_POSITION);
    }

    @Override
    public boolean before(int a, int b) {
      int order = Long.compare(cells.get(a + Tasks.EXPIRES_MS), cells.get(b + Tasks.EXPIRES_MS));
      if (order == 0) {
        order = Long.compare(cells.get(a + Tasks.HIGH), cells.get(b + Tasks.HIGH));
      }
      if (order == 0) {
        order = Long.compare(cells.get(a + Tasks.LOW), cells.get(b + Tasks.LOW));
      }
      return order < 0;
    }
  }

  /** By time, then in the order in which they began to wait. */
  private static final class WaitingTasks extends CellHeap {
    WaitingTasks(Cells cells) {
      super(cells, Tasks.POSITION);
    }

    @Override
    public boolean before(int a, int b) {
      long arrivalA = cells.get(a + Tasks.ARRIVAL_MS);
      long arrivalB = cells.get(b + Tasks.ARRIVAL_MS);
      return arrivalA < arrivalB
          || (arrivalA == arrivalB && cells.get(a + Tasks.ORDER) < cells.get(b + Tasks.ORDER));
    }
  }

  /** Queues by the first of their waiting tasks. */
  private static final class WatchedQueues extends CellHeap {
    private final CellHeap waiting;

    WatchedQueues(Cells cells, CellHeap waiting, int positionCell) {
      super(cells, positionCell);
      this.waiting = waiting;
    }

    @Override
    public boolean before(int a, int b) {
      return waiting.before(waiting.first(a + WAITING), waiting.first(b + WAITING));
    }
  }

  /** The queue of a name, created if necessary. */
  int of(int name) {
    int capacity = cells.ref(root + DIRECTORY_CAPACITY);
    if (name >= capacity) {
      int larger = Math.max(64, Integer.highestOneBit(name) * 2);
      cells.set(root + DIRECTORY, cells.grown(cells.ref(root + DIRECTORY), capacity, larger));
      cells.set(root + DIRECTORY_CAPACITY, larger);
    }
    int entry = cells.ref(root + DIRECTORY) + name;
    int queue = cells.ref(entry);
    if (queue == Cells.NONE) {
      queue = cells.allocateCleared(CELL_COUNT);
      cells.set(queue + NAME, name);
      byte[] bytes = names.bytes(name);
      cells.set(queue + NAME_HASH, Mix.bytes(new UnsafeBuffer(bytes), 0, bytes.length));
      cells.set(entry, queue);
      changes++;
    }
    return queue;
  }

  /** The queue of a name, or {@link Cells#NONE}. */
  int find(int name) {
    return name < cells.ref(root + DIRECTORY_CAPACITY)
        ? cells.ref(cells.ref(root + DIRECTORY) + name)
        : Cells.NONE;
  }

  /**
   * Whether a queue has neither tasks nor waiting claims, no rule still needs it, and it is no pool
   * with members.
   */
  boolean isUnused(int queue, long nowMs) {
    return isIdle(queue, nowMs) && !hasOwnPolicy(queue) && !hasMembers(queue, nowMs);
  }

  private boolean hasOwnPolicy(int queue) {
    return policies.hasOwn(names.bytes(cells.ref(queue + NAME)));
  }

  private boolean hasMembers(int queue, long nowMs) {
    return pools.isAboveAny(queue, member -> isThere(member, nowMs));
  }

  private boolean isIdle(int queue, long nowMs) {
    return cells.get(queue + TASKS) == 0
        && cells.get(queue + FIRST_WAITER) == Cells.NONE
        && cells.get(queue + IS_TO_SERVE) == 0
        && cells.get(queue + BROKEN_UNTIL_MS) <= nowMs
        && Math.floorDiv(-cells.get(queue + CLOCK_US), 1_000) >= -nowMs;
  }

  /** Whether an engine has a queue for another reason than its members. */
  private boolean isThere(int queue, long nowMs) {
    return !isIdle(queue, nowMs) || (hasOwnPolicy(queue) && cells.get(queue + IS_THERE) != 0);
  }

  private boolean hasWaiters(int queue) {
    return cells.get(queue + FIRST_WAITER) != Cells.NONE;
  }

  // What an engine has removed.

  /**
   * Before a task or a claim comes to a queue: if it was unused, an engine has removed it, and with
   * it what it had because of its rules. Only the queue of a pool stays until claims were served
   * when its last member goes.
   */
  void arrive(int queue, long nowMs) {
    removeAtOnce(queue, nowMs);
    cells.set(queue + IS_THERE, 1);
  }

  /** Before a write of policies, which may let queues stay that are gone, or make them pools. */
  void removeAtOnce(long nowMs) {
    forEachQueue(queue -> removeAtOnce(queue, nowMs));
  }

  /**
   * After a write of policies. A queue whose policy has gone while it became a pool is removed, and
   * comes back with its first member, unless a claim waits for one: that has joined before.
   */
  void removeUnused(long nowMs) {
    forEachQueue(
        queue -> {
          boolean isKept = cells.get(queue + HAD_MEMBERS) != 0 || hasOwnPolicy(queue);
          if (!isKept && isIdle(queue, nowMs) && !pools.isAboveAny(queue, this::hasWaiters)) {
            forgetRules(queue);
          }
          removeIfUnused(queue, nowMs);
          if (!pools.isPool(queue)) {
            cells.set(queue + POOL_CLOCK_US, 0);
          }
        });
  }

  /** After claims were served, members go that nothing needs, and with the last one its pool. */
  void removeUnusedMembers(long nowMs) {
    pools.members().forEachInt(queue -> removeIfUnused(queue, nowMs));
  }

  private void removeAtOnce(int queue, long nowMs) {
    if (cells.get(queue + HAD_MEMBERS) == 0) {
      removeIfUnused(queue, nowMs);
    }
  }

  private void removeIfUnused(int queue, long nowMs) {
    boolean hasMembers = hasMembers(queue, nowMs);
    cells.set(queue + HAD_MEMBERS, hasMembers ? 1 : 0);
    if (hasMembers) {
      cells.set(queue + IS_THERE, 1);
    } else if (isUnused(queue, nowMs)) {
      forgetRules(queue);
      cells.set(queue + IS_THERE, 0);
    }
  }

  /** Removes an unused queue. */
  void remove(int queue) {
    changes++;
    if (cells.ref(queue + READY) != Cells.NONE) {
      cells.free(cells.ref(queue + READY), cells.ref(queue + READY_CAPACITY));
    }
    waiting.release(queue + WAITING);
    cells.set(cells.ref(root + DIRECTORY) + cells.ref(queue + NAME), Cells.NONE);
    cells.free(queue, CELL_COUNT);
  }

  // Tasks of a queue.

  /** Takes a task out of its queue, so that its fields may be changed. */
  void detach(int task) {
    int queue = cells.ref(task + Tasks.QUEUE);
    touch(queue);
    cells.add(queue + TASKS, -1);
    cells.add(queue + BYTES, -cells.get(task + Tasks.CONTENT_BYTES));
    if (expiring.holds(task)) {
      expiring.remove(root + EXPIRING, task);
    }
    if (cells.get(task + Tasks.IS_WAITING) != 0) {
      waiting.remove(queue + WAITING, task);
      watch(queue);
    } else {
      removeReady(queue, task);
    }
  }

  /** Puts a task into its queue. */
  void attach(int task, long nowMs) {
    int queue = cells.ref(task + Tasks.QUEUE);
    touch(queue);
    cells.add(queue + TASKS, 1);
    cells.add(queue + BYTES, cells.get(task + Tasks.CONTENT_BYTES));
    if (cells.get(task + Tasks.EXPIRES_MS) > 0) {
      expiring.add(root + EXPIRING, task);
    }
    if (cells.get(task + Tasks.ARRIVAL_MS) > nowMs) {
      cells.add(root + LAST_ORDER, 1);
      cells.set(task + Tasks.ORDER, cells.get(root + LAST_ORDER));
      cells.set(task + Tasks.IS_WAITING, 1);
      waiting.add(queue + WAITING, task);
      watch(queue);
    } else {
      addReady(queue, task);
      if (cells.get(queue + FIRST_WAITER) != Cells.NONE) {
        addToServe(queue);
      }
    }
  }

  private void addReady(int queue, int task) {
    int count = cells.ref(queue + READY_COUNT);
    if (count == cells.ref(queue + READY_CAPACITY)) {
      int larger = Math.max(READY_CAPACITY_MIN, count * 2);
      cells.set(queue + READY, cells.grown(cells.ref(queue + READY), count, larger));
      cells.set(queue + READY_CAPACITY, larger);
    }
    cells.set(queue + READY_COUNT, count + 1L);
    cells.set(cells.ref(queue + READY) + count, task);
    cells.set(task + Tasks.POSITION, count + 1L);
    cells.set(task + Tasks.IS_WAITING, 0);
    int youngest = cells.ref(queue + YOUNGEST);
    cells.set(task + Tasks.OLDER, youngest);
    cells.set(task + Tasks.YOUNGER, Cells.NONE);
    cells.set(youngest == Cells.NONE ? queue + OLDEST : youngest + Tasks.YOUNGER, task);
    cells.set(queue + YOUNGEST, task);
    if (cells.get(task + Tasks.CLAIMS) > 0) {
      cells.add(queue + READY_CLAIMED, 1);
    }
  }

  private void removeReady(int queue, int task) {
    int array = cells.ref(queue + READY);
    int last = cells.ref(queue + READY_COUNT) - 1;
    int position = cells.ref(task + Tasks.POSITION) - 1;
    if (position != last) {
      int moved = cells.ref(array + last);
      cells.set(array + position, moved);
      cells.set(moved + Tasks.POSITION, position + 1L);
    }
    cells.set(queue + READY_COUNT, last);
    cells.set(task + Tasks.POSITION, 0);
    if (cells.get(task + Tasks.CLAIMS) > 0) {
      cells.add(queue + READY_CLAIMED, -1);
    }
    int older = cells.ref(task + Tasks.OLDER);
    int younger = cells.ref(task + Tasks.YOUNGER);
    cells.set(older == Cells.NONE ? queue + OLDEST : older + Tasks.YOUNGER, younger);
    cells.set(younger == Cells.NONE ? queue + YOUNGEST : younger + Tasks.OLDER, older);
    if (older == Cells.NONE) {
      cells.set(queue + PASSED_OVER, 0);
    }
  }

  /** Whether the queue has a task to claim, and nothing keeps it from starting. */
  boolean hasWork(int queue, long nowMs) {
    return workMs(queue) <= nowMs && obstacle(queue, nowMs) == null;
  }

  /** When the queue has a task that comes next. */
  private long workMs(int queue) {
    int front = front(queue);
    if (front != Cells.NONE) {
      return cells.get(front + Tasks.ARRIVAL_MS);
    }
    return cells.get(queue + READY_COUNT) > 0 ? Long.MIN_VALUE : firstDueMs(queue);
  }

  private long firstDueMs(int queue) {
    int first = waiting.first(queue + WAITING);
    return first == Cells.NONE ? Long.MAX_VALUE : cells.get(first + Tasks.ARRIVAL_MS);
  }

  /** Makes due tasks ready, as the engine does before each choice. */
  void promote(int queue, long nowMs) {
    promote(queue, PROMOTED_MAX, nowMs);
  }

  /** Makes up to so many due tasks ready; returns how many. */
  int promote(int queue, int most, long nowMs) {
    int count = 0;
    for (; count < most && firstDueMs(queue) <= nowMs; count++) {
      int task = waiting.first(queue + WAITING);
      waiting.remove(queue + WAITING, task);
      if (settle(task, nowMs)) {
        lapsed.addInt(task);
      }
      addReady(queue, task);
    }
    if (count > 0) {
      watch(queue);
    }
    return count;
  }

  /** The waiting task at a position of the heap, from 0. */
  int waitingAt(int queue, int position) {
    return waiting.at(queue + WAITING, position);
  }

  int waitingCount(int queue) {
    return waiting.size(queue + WAITING);
  }

  /** The available task at an index, from 0. */
  int readyAt(int queue, int index) {
    return cells.ref(cells.ref(queue + READY) + index);
  }

  // Rules of a queue.

  /** The policy that applies, or {@link Cells#NONE}. */
  int policy(int queue) {
    resolve(queue);
    return cells.ref(queue + POLICY);
  }

  long pausedUntilMs(int queue) {
    resolve(queue);
    return cells.get(queue + PAUSED_UNTIL_MS);
  }

  private void resolve(int queue) {
    if (cells.get(queue + RESOLVED_EPOCH) != policies.epoch()) {
      byte[] name = names.bytes(cells.ref(queue + NAME));
      cells.set(queue + RESOLVED_EPOCH, policies.epoch());
      cells.set(queue + POLICY, policies.rulesOf(name));
      cells.set(queue + PAUSED_UNTIL_MS, policies.pausedUntilMs(name));
    }
  }

  /** Lets a queue follow what was written since: its limiters count it, and former ones do not. */
  void touch(int queue) {
    if (cells.get(queue + TOUCHED_EPOCH) == policies.epoch()) {
      return;
    }
    long inFlight = cells.get(queue + IN_FLIGHT);
    addInFlight(queue, -inFlight);
    int policy = policy(queue);
    for (int i = 0; i < PolicyTable.LIMITERS_MAX; i++) {
      int limiter = policy == Cells.NONE ? Cells.NONE : policies.limiter(policy, i);
      cells.set(
          queue + COUNTERS + i, limiter == Cells.NONE ? Cells.NONE : policies.counterOf(limiter));
    }
    addInFlight(queue, inFlight);
    boolean counts = policy != Cells.NONE && policies.isCounting(policy);
    cells.set(queue + IS_COUNTING, counts || pools.isMember(queue) ? 1 : 0);
    cells.set(queue + TOUCHED_EPOCH, policies.epoch());
    cells.set(queue + IS_RULED, hasRules(queue) ? 1 : 0);
    if (!hasRules(queue)) {
      forgetRules(queue);
    }
    count(queue);
  }

  /** A task of the queue has died. */
  void countDead(int queue) {
    cells.add(queue + DEAD, cells.get(queue + IS_RULED));
  }

  private boolean hasRules(int queue) {
    return policy(queue) != Cells.NONE || pausedUntilMs(queue) != 0 || pools.isMember(queue);
  }

  /** What a queue has because of its rules ends with them. */
  private void forgetRules(int queue) {
    cells.set(queue + CLOCK_US, 0);
    cells.set(queue + FAILURES, 0);
    cells.set(queue + BROKEN_UNTIL_MS, 0);
    cells.set(queue + FRONT, Cells.NONE);
    cells.set(queue + DEAD, 0);
    cells.set(queue + LAPSED, 0);
    cells.set(queue + POOL_CLOCK_US, 0);
  }

  private void addInFlight(int queue, long delta) {
    for (int i = 0; i < PolicyTable.LIMITERS_MAX; i++) {
      int counter = cells.ref(queue + COUNTERS + i);
      if (counter != Cells.NONE) {
        policies.addInFlight(counter, delta);
      }
    }
  }

  /** What keeps every task of a queue from starting; null if nothing does. */
  Invariant obstacle(int queue, long nowMs) {
    if (pauseEndMs(queue, nowMs) != 0) {
      return Invariant.PAUSED_GETS_NOTHING;
    }
    int policy = policy(queue);
    if (policy == Cells.NONE) {
      return null;
    }
    if (policies.opensAtMs(policy, cells.get(queue + CLOCK_US)) > nowMs) {
      return Invariant.RATE_KEPT;
    }
    if (policies.isFull(policy, cells.get(queue + IN_FLIGHT))) {
      return Invariant.IN_FLIGHT_BOUNDED;
    }
    Invariant obstacle = null;
    for (int i = 0; i < PolicyTable.LIMITERS_MAX && obstacle == null; i++) {
      int limiter = policies.limiter(policy, i);
      obstacle = limiter == Cells.NONE ? null : obstacleOf(queue, limiter, nowMs);
    }
    return obstacle;
  }

  private Invariant obstacleOf(int queue, int limiter, long nowMs) {
    if (cells.get(limiter + PolicyTable.PAUSED_UNTIL_MS) > nowMs) {
      return Invariant.PAUSED_GETS_NOTHING;
    }
    if (policies.limiterOpensAtMs(limiter) > nowMs) {
      return Invariant.RATE_KEPT;
    }
    return policies.isFull(limiter, inFlight(queue, limiter)) ? Invariant.IN_FLIGHT_BOUNDED : null;
  }

  /** What a limiter would count if it knew that it is one of the queue's. */
  private long inFlight(int queue, int limiter) {
    boolean isCounted = false;
    for (int i = 0; i < PolicyTable.LIMITERS_MAX; i++) {
      isCounted |= cells.ref(queue + COUNTERS + i) == policies.counterOf(limiter);
    }
    return policies.inFlight(limiter) + (isCounted ? 0 : cells.get(queue + IN_FLIGHT));
  }

  /** When the queue has a task that may start, as far as time alone decides it. */
  private long eligibleMs(int queue) {
    int policy = policy(queue);
    long ms = Math.max(workMs(queue), pausedUntilMs(queue));
    ms = Math.max(ms, brokenUntilMs(queue));
    if (policy == Cells.NONE) {
      return ms;
    }
    ms = Math.max(ms, policies.opensAtMs(policy, cells.get(queue + CLOCK_US)));
    boolean isFull = policies.isFull(policy, cells.get(queue + IN_FLIGHT));
    for (int i = 0; i < PolicyTable.LIMITERS_MAX; i++) {
      int limiter = policies.limiter(policy, i);
      if (limiter != Cells.NONE) {
        ms = Math.max(ms, cells.get(limiter + PolicyTable.PAUSED_UNTIL_MS));
        ms = Math.max(ms, policies.limiterOpensAtMs(limiter));
        isFull |= policies.isFull(limiter, inFlight(queue, limiter));
      }
    }
    return isFull ? Long.MAX_VALUE : ms;
  }

  /** Whether rates or pauses may keep tasks of a queue from starting. */
  boolean isLimited(int queue) {
    return opensAtMs(queue) > Long.MIN_VALUE
        || pausedUntilMs(queue) != 0
        || brokenUntilMs(queue) != 0;
  }

  /** When rates and limiters permit the next start; {@link Long#MIN_VALUE} if there are none. */
  long opensAtMs(int queue) {
    int policy = policy(queue);
    if (policy == Cells.NONE) {
      return Long.MIN_VALUE;
    }
    long ms = policies.opensAtMs(policy, cells.get(queue + CLOCK_US));
    for (int i = 0; i < PolicyTable.LIMITERS_MAX; i++) {
      int limiter = policies.limiter(policy, i);
      if (limiter != Cells.NONE) {
        ms = Math.max(ms, policies.limiterOpensAtMs(limiter));
        ms = Math.max(ms, cells.get(limiter + PolicyTable.PAUSED_UNTIL_MS));
      }
    }
    return ms;
  }

  /** Until when the queue is paused by somebody, or by failures; 0: it is not. */
  long pauseEndMs(int queue, long nowMs) {
    long untilMs = Math.max(pausedUntilMs(queue), brokenUntilMs(queue));
    return untilMs > nowMs ? untilMs : 0;
  }

  /** Until when failures pause the queue. Without rules they do not, whoever has seen that yet. */
  private long brokenUntilMs(int queue) {
    long untilMs = cells.get(queue + BROKEN_UNTIL_MS);
    return untilMs == 0 || hasRules(queue) ? untilMs : 0;
  }

  /** How many of the available tasks may start now. */
  long startsNow(int queue, long available, long nowMs) {
    if (available == 0 || obstacle(queue, nowMs) != null || workMs(queue) > nowMs) {
      return 0;
    }
    int policy = policy(queue);
    if (policy == Cells.NONE) {
      return available;
    }
    long starts =
        Math.min(
            available,
            policies.startsNow(
                policy, cells.get(queue + CLOCK_US), cells.get(queue + IN_FLIGHT), nowMs));
    for (int i = 0; i < PolicyTable.LIMITERS_MAX; i++) {
      int limiter = policies.limiter(policy, i);
      if (limiter != Cells.NONE) {
        starts = Math.min(starts, policies.startsNow(limiter, inFlight(queue, limiter), nowMs));
      }
    }
    return starts;
  }

  /** A start is charged: to the rates, and to the numbers in flight if it begins a flight. */
  void started(int task, boolean hasLease, long nowMs) {
    int queue = cells.ref(task + Tasks.QUEUE);
    touch(queue);
    int policy = policy(queue);
    if (policy != Cells.NONE) {
      cells.set(queue + CLOCK_US, policies.started(policy, cells.get(queue + CLOCK_US), nowMs));
      for (int i = 0; i < PolicyTable.LIMITERS_MAX; i++) {
        int limiter = policies.limiter(policy, i);
        if (limiter != Cells.NONE) {
          policies.limiterStarted(limiter, nowMs);
        }
      }
    }
    leaveFront(task);
    boolean isTold = cells.get(level) >= Account.LEVEL_OF_POLICIES;
    hold(task, hasLease && isTold ? Hold.HELD : Hold.NONE);
  }

  /** Changes how a task is held; its queue and its limiters count it. */
  void hold(int task, int hold) {
    int delta =
        (Hold.isInFlight(hold) ? 1 : 0) - (Hold.isInFlight(cells.ref(task + Tasks.HOLD)) ? 1 : 0);
    int queue = cells.ref(task + Tasks.QUEUE);
    cells.set(task + Tasks.HOLD, hold);
    cells.add(queue + IN_FLIGHT, delta);
    addInFlight(queue, delta);
  }

  /** Sees to a lease or a rest that has ended, whoever looks first. Returns whether it lapsed. */
  boolean settle(int task, long nowMs) {
    int hold = cells.ref(task + Tasks.HOLD);
    if (cells.get(task + Tasks.ARRIVAL_MS) > nowMs || hold == Hold.settled(hold)) {
      return false;
    }
    if (hold == Hold.HELD) {
      cells.add(task + Tasks.LAPSES, 1);
      int queue = cells.ref(task + Tasks.QUEUE);
      touch(queue);
      cells.add(queue + LAPSED, cells.get(queue + IS_RULED));
    }
    comeFirst(task);
    hold(task, Hold.settled(hold));
    return hold == Hold.HELD;
  }

  /** The tasks that have lapsed since the last call. */
  int[] takeLapsed() {
    int[] taken = lapsed.toIntArray();
    lapsed.clear();
    return taken;
  }

  // Order.

  boolean isStrict(int queue) {
    return order(queue) == Orders.STRICT;
  }

  /** One of {@link Orders}. */
  int order(int queue) {
    int policy = policy(queue);
    return policy == Cells.NONE ? Orders.COIN : (int) cells.get(policy + PolicyTable.ORDER);
  }

  /** In strict order, the task comes first from now on. */
  void comeFirst(int task) {
    int queue = cells.ref(task + Tasks.QUEUE);
    if (isStrict(queue)) {
      cells.set(queue + FRONT, task);
    }
  }

  void leaveFront(int task) {
    int queue = cells.ref(task + Tasks.QUEUE);
    if (cells.ref(queue + FRONT) == task) {
      cells.set(queue + FRONT, Cells.NONE);
    }
  }

  /** The only task that may start next; {@link Cells#NONE} if that is a matter of chance. */
  int nextInOrder(int queue) {
    if (order(queue) == Orders.COIN) {
      return Cells.NONE;
    }
    int front = front(queue);
    return front == Cells.NONE ? cells.ref(queue + OLDEST) : front;
  }

  /** The task that comes first in strict order, if that applies, or {@link Cells#NONE}. */
  int front(int queue) {
    return isStrict(queue) ? cells.ref(queue + FRONT) : Cells.NONE;
  }

  /** How many others of a queue with an order start before a task that is due. */
  int startBefore(int task, long nowMs) {
    int queue = cells.ref(task + Tasks.QUEUE);
    int front = front(queue);
    if (task == front) {
      return 0;
    }
    int before = front == Cells.NONE ? 0 : 1;
    boolean isWaiting = cells.get(task + Tasks.IS_WAITING) != 0;
    int older = isWaiting ? cells.ref(queue + YOUNGEST) : cells.ref(task + Tasks.OLDER);
    for (; older != Cells.NONE; older = cells.ref(older + Tasks.OLDER)) {
      before += older == front ? 0 : 1;
    }
    for (int i = 0; isWaiting && i < waitingCount(queue); i++) {
      int other = waitingAt(queue, i);
      boolean isFirst = other != front && cells.get(other + Tasks.ARRIVAL_MS) <= nowMs;
      before += isFirst && waiting.before(other, task) ? 1 : 0;
    }
    return before;
  }

  /**
   * When a task of a queue starts, if each task before it starts as soon as the queue's rate
   * permits; 0 if it has none, or if that is never.
   *
   * @param before how many start before it
   * @param fromMs when the first of them may
   */
  long expectedStartMs(int queue, int before, long fromMs) {
    int policy = policy(queue);
    if (policy == Cells.NONE || !policies.hasRate(policy)) {
      return 0;
    }
    long startMs = Math.max(fromMs, opensAtMs(queue));
    startMs = Math.max(startMs, Math.max(pausedUntilMs(queue), brokenUntilMs(queue)));
    return policies.startAfterMs(policy, cells.get(queue + CLOCK_US), before, startMs);
  }

  // Members of pools.

  /** Whether a claim that names a queue can start a task. */
  boolean mayStart(int queue, long nowMs) {
    return pools.isMember(queue) ? pools.mayStart(queue, nowMs) : hasWork(queue, nowMs);
  }

  /** Whether it surely can: an engine knows only some members that have work while it is behind. */
  boolean mustStart(int queue, long nowMs) {
    return mayStart(queue, nowMs) && !(isBehind(nowMs) && pools.isMember(queue));
  }

  /** Whether more leases have ended than one step sees to. */
  boolean isBehind(long nowMs) {
    return firstCountedMs() <= nowMs;
  }

  /** What keeps a task of a queue from starting, or pools above it; null if nothing does. */
  Invariant obstacleOfAny(int queue, long nowMs) {
    Invariant obstacle = obstacle(queue, nowMs);
    if (obstacle != null || !pools.isMember(queue)) {
      return obstacle;
    }
    return switch (pools.obstacle(queue, nowMs)) {
      case PAUSED -> Invariant.PAUSED_GETS_NOTHING;
      case RATE -> Invariant.RATE_KEPT;
      case IN_FLIGHT -> Invariant.IN_FLIGHT_BOUNDED;
      default -> null;
    };
  }

  @Override
  public long changes() {
    return changes;
  }

  @Override
  public void forEachQueue(IntConsumer each) {
    for (int name = 1; name < cells.ref(root + DIRECTORY_CAPACITY); name++) {
      if (find(name) != Cells.NONE) {
        each.accept(find(name));
      }
    }
  }

  @Override
  public byte[] nameBytes(int queue) {
    return names.bytes(cells.ref(queue + NAME));
  }

  @Override
  public boolean isOpen(int queue, long ms) {
    int policy = policy(queue);
    return workMs(queue) <= ms
        && pausedUntilMs(queue) <= ms
        && brokenUntilMs(queue) <= ms
        && (policy == Cells.NONE
            || (policies.opensAtMs(policy, cells.get(queue + CLOCK_US)) <= ms
                && !policies.isFull(policy, cells.get(queue + IN_FLIGHT))));
  }

  @Override
  public boolean isLimiterClosed(int queue, long ms) {
    int policy = policy(queue);
    boolean isClosed = false;
    for (int i = 0; policy != Cells.NONE && i < PolicyTable.LIMITERS_MAX; i++) {
      int limiter = policies.limiter(policy, i);
      isClosed |= limiter != Cells.NONE && obstacleOf(queue, limiter, ms) != null;
    }
    return isClosed;
  }

  @Override
  public long inFlight(int queue) {
    return cells.get(queue + IN_FLIGHT);
  }

  @Override
  public long poolClockUs(int queue) {
    return cells.get(queue + POOL_CLOCK_US);
  }

  @Override
  public void setPoolClockUs(int queue, long clockUs) {
    cells.set(queue + POOL_CLOCK_US, clockUs);
  }

  @Override
  public void forEachChange(int queue, LongConsumer each) {
    each.accept(pausedUntilMs(queue));
    each.accept(brokenUntilMs(queue));
    int policy = policy(queue);
    if (policy != Cells.NONE) {
      each.accept(policies.opensAtMs(policy, cells.get(queue + CLOCK_US)));
      each.accept(opensAtMs(queue));
    }
  }

  // What time alone does.

  /** When the first task expires. */
  long firstExpiryMs() {
    int task = firstToExpire();
    return task == Cells.NONE ? Long.MAX_VALUE : cells.get(task + Tasks.EXPIRES_MS);
  }

  int firstToExpire() {
    return expiring.first(root + EXPIRING);
  }

  private void count(int queue) {
    boolean matters = cells.get(queue + IS_COUNTING) != 0 && waiting.size(queue + WAITING) > 0;
    if (matters && counted.holds(queue)) {
      counted.update(root + COUNTED, queue);
    } else if (matters) {
      counted.add(root + COUNTED, queue);
    } else if (counted.holds(queue)) {
      counted.remove(root + COUNTED, queue);
    }
  }

  /** When the first lease ends that must be seen in time. */
  long firstCountedMs() {
    int queue = firstCounted();
    return queue == Cells.NONE ? Long.MAX_VALUE : firstDueMs(queue);
  }

  int firstCounted() {
    return counted.first(root + COUNTED);
  }

  // Queues with waiting claims.

  void addWaited(int queue) {
    int next = cells.ref(root + FIRST_WAITED);
    cells.set(queue + NEXT_WAITED, next);
    cells.set(queue + LAST_WAITED, Cells.NONE);
    if (next != Cells.NONE) {
      cells.set(next + LAST_WAITED, queue);
    }
    cells.set(root + FIRST_WAITED, queue);
  }

  void removeWaited(int queue) {
    int next = cells.ref(queue + NEXT_WAITED);
    int last = cells.ref(queue + LAST_WAITED);
    cells.set(last == Cells.NONE ? root + FIRST_WAITED : last + NEXT_WAITED, next);
    if (next != Cells.NONE) {
      cells.set(next + LAST_WAITED, last);
    }
  }

  /** The first of the queues with waiting claims, or {@link Cells#NONE}. */
  int firstWaited() {
    return cells.ref(root + FIRST_WAITED);
  }

  /** When the first of them has a task that may start, as far as time alone decides it. */
  long firstEligibleMs(long nowMs) {
    long ms = Long.MAX_VALUE;
    IntArrayList members = new IntArrayList();
    for (int queue = firstWaited(); queue != Cells.NONE; queue = cells.ref(queue + NEXT_WAITED)) {
      if (pools.isMember(queue)) {
        members.addInt(queue);
      } else {
        ms = Math.min(ms, eligibleMs(queue));
      }
    }
    return members.isEmpty() ? ms : Math.min(ms, pools.firstStartMs(members.toIntArray(), nowMs));
  }

  /** Updates whether and when a queue can serve waiting claims, and when its leases end. */
  void watch(int queue) {
    count(queue);
    boolean matters =
        cells.get(queue + FIRST_WAITER) != Cells.NONE
            && waiting.size(queue + WAITING) > 0
            && cells.get(queue + IS_TO_SERVE) == 0;
    if (matters && watched.holds(queue)) {
      watched.update(root + WATCHED, queue);
    } else if (matters) {
      watched.add(root + WATCHED, queue);
    } else if (watched.holds(queue)) {
      watched.remove(root + WATCHED, queue);
    }
  }

  /** When the first task that a claim waits for is due; {@link Long#MAX_VALUE} if never. */
  long firstWatchedMs() {
    int queue = watched.first(root + WATCHED);
    return queue == Cells.NONE ? Long.MAX_VALUE : firstDueMs(queue);
  }

  /** Adds queues with due tasks to the queues to serve, in the order of their times. */
  void serveDue(long nowMs) {
    while (firstWatchedMs() <= nowMs) {
      addToServe(watched.first(root + WATCHED));
    }
  }

  private void addToServe(int queue) {
    if (cells.get(queue + IS_TO_SERVE) != 0) {
      return;
    }
    cells.set(queue + IS_TO_SERVE, 1);
    cells.set(queue + NEXT_TO_SERVE, Cells.NONE);
    int last = cells.ref(root + SERVE_LAST);
    cells.set(last == Cells.NONE ? root + SERVE_FIRST : last + NEXT_TO_SERVE, queue);
    cells.set(root + SERVE_LAST, queue);
    watch(queue);
  }

  /** The first queue to serve, or {@link Cells#NONE}. */
  int firstToServe() {
    return cells.ref(root + SERVE_FIRST);
  }

  /** Removes the first queue to serve. */
  void served() {
    int queue = firstToServe();
    int next = cells.ref(queue + NEXT_TO_SERVE);
    cells.set(root + SERVE_FIRST, next);
    if (next == Cells.NONE) {
      cells.set(root + SERVE_LAST, Cells.NONE);
    }
    cells.set(queue + IS_TO_SERVE, 0);
    watch(queue);
  }
}
