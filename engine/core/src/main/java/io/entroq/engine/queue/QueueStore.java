package io.entroq.engine.queue;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.HashIndex;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayList;

/**
 * Queues by slot and by name. A queue is kept while it has a task or a parked claim; to callers it
 * exists while it has a task. It costs a record of 168 bytes, its name and small arrays, so queues
 * can come and go by the million.
 */
public final class QueueStore {

  static final int NAME_HASH = 0;

  /** The block of the name; never {@link Arena#NONE} in a live record. */
  static final int NAME = 8;

  static final int READY_BLOCK = 16;
  static final int READY_SIZE = 24;
  static final int OLDEST = 28;
  static final int YOUNGEST = 32;
  static final int WAITING_SIZE = 36;
  static final int WAITING_BLOCK = 40;
  static final int WAITING_CLAIMED = 48;
  static final int WAITING_HELD = 52;
  static final int CLAIMS_MAX = 56;
  static final int FIRST_WAITER = 60;
  static final int LAST_WAITER = 64;
  static final int WATCH_POSITION = 68;
  static final int NEXT_TO_SERVE = 72;
  static final int NAME_LENGTH = 76;
  static final int FLAGS = 80;
  static final int CLAIMED_ONCE = 84;

  // Address and capacity of the two arrays, to save a lookup.
  static final int READY_ADDRESS = 88;

  static final int WAITING_ADDRESS = 96;
  static final int READY_CAPACITY = 104;
  static final int WAITING_CAPACITY = 108;

  // The late ready tasks, and the latest arrival time of the others: see LateIndex.
  static final int LATE_BLOCK = 112;

  static final int LATE_ADDRESS = 120;
  static final int LATE_CAPACITY = 128;
  static final int LATE_SIZE = 132;
  static final int LATEST_MS = 136;

  /** Bytes of the values and error texts of its tasks. */
  static final int BYTES = 144;

  static final int IN_FLIGHT = 152;

  /** What the queue has by policies and pauses, or {@link Slab#NONE}. */
  static final int RULES = 156;

  /** The number of writes of policies at which nothing applied to the queue; -1: something does. */
  static final int PLAIN_EPOCH = 160;

  private static final int RECORD_BYTES = 168;

  static final int ALIVE = 1;
  static final int TO_SERVE = 2;
  private static final int POOLED = 4;
  private static final int INDEX_SHARD_BITS = 6;

  final Slab slab;
  final Arena arena;
  private final HashIndex index = new HashIndex(INDEX_SHARD_BITS);
  private final Bytes scratch = new Bytes();
  private final Bytes otherScratch = new Bytes();
  private int lastFound = Slab.NONE;

  /** The queue whose name was asked for last, and that name. */
  private int lastNamed = Slab.NONE;

  private final Bytes lastName = new Bytes();
  private QueueRules queueRules = QueueRules.NONE;
  private long epoch;

  /**
   * Creates an empty store.
   *
   * @param arena holds names and arrays
   * @param chunkShift binary logarithm of the number of records in a chunk
   */
  public QueueStore(Arena arena, int chunkShift) {
    this.arena = arena;
    this.slab = new Slab(RECORD_BYTES, chunkShift, NAME);
  }

  /** The slot of the queue with this name, or {@link Slab#NONE}. */
  public int find(DirectBuffer name, int offset, int length) {
    // Commands come in runs for one queue: comparing names is cheaper than hashing.
    if (lastFound != Slab.NONE && isNamed(lastFound, name, offset, length)) {
      return lastFound;
    }
    int queue = look(name, offset, length);
    if (queue != Slab.NONE) {
      lastFound = queue;
    }
    return queue;
  }

  private int look(DirectBuffer name, int offset, int length) {
    long hash = Mix.bytes(name, offset, length);
    for (long at = index.first(hash); at != HashIndex.NONE; at = index.next(hash, at)) {
      int queue = index.slot(at);
      if (slab.getLong(queue, NAME_HASH) == hash && isNamed(queue, name, offset, length)) {
        return queue;
      }
    }
    return Slab.NONE;
  }

  /** The slot of the queue with this name, which is added if necessary. */
  public int findOrAdd(DirectBuffer name, int offset, int length) {
    int queue = find(name, offset, length);
    return queue != Slab.NONE ? queue : add(name, offset, length);
  }

  int add(DirectBuffer name, int offset, int length) {
    int queue = slab.allocate();
    long block = arena.allocate(length);
    arena.buffer(block).putBytes(arena.offset(block), name, offset, length);
    long hash = Mix.bytes(name, offset, length);
    slab.putLong(queue, NAME, block);
    slab.putInt(queue, NAME_LENGTH, length);
    slab.putLong(queue, NAME_HASH, hash);
    slab.putInt(queue, OLDEST, Slab.NONE);
    slab.putInt(queue, YOUNGEST, Slab.NONE);
    slab.putInt(queue, FIRST_WAITER, Slab.NONE);
    slab.putInt(queue, LAST_WAITER, Slab.NONE);
    slab.putInt(queue, WATCH_POSITION, Slab.NONE);
    slab.putInt(queue, NEXT_TO_SERVE, Slab.NONE);
    slab.putInt(queue, RULES, Slab.NONE);
    slab.putInt(queue, FLAGS, ALIVE);
    index.insert(hash, queue);
    Invariant.check(index.size() == slab.size(), "each queue is in the index", queue, index.size());
    return queue;
  }

  /** A total order by name, for heaps whose roots must not depend on slots. */
  public boolean isNameBefore(int a, int b) {
    long hashA = nameHash(a);
    long hashB = nameHash(b);
    if (hashA != hashB) {
      return hashA < hashB;
    }
    name(a, scratch);
    name(b, otherScratch);
    return scratch.compareTo(otherScratch) < 0;
  }

  /**
   * Whether anything keeps a queue, even without tasks: a parked claim, that it is served, or its
   * policy.
   */
  public boolean isUsed(int queue) {
    return isBusy(queue) || (rules(queue) != Slab.NONE && queueRules.keeps(queue));
  }

  private boolean isBusy(int queue) {
    return taskCount(queue) > 0 || firstWaiter(queue) != Slab.NONE || isToServe(queue);
  }

  /** Removes a queue unless it {@link #isUsed}. */
  public void removeIfUnused(int queue) {
    if (isBusy(queue)) {
      return;
    }
    if (rules(queue) != Slab.NONE) {
      if (queueRules.keeps(queue)) {
        queueRules.idles(queue);
        return;
      }
      queueRules.drop(queue);
    }
    remove(queue);
  }

  /** Sets what decides about queues with rules. Once, before there are queues. */
  public void ruledBy(QueueRules rules) {
    queueRules = rules;
  }

  /** What decides about queues with rules. */
  public QueueRules ruled() {
    return queueRules;
  }

  /**
   * Whether no policy and no pause applies to a queue. If not, {@link QueueRules} must be asked: it
   * may have some, or policies were written since it was last looked at.
   */
  public boolean isPlain(int queue) {
    return epoch == 0 || slab.getLong(queue, PLAIN_EPOCH) == epoch;
  }

  /** Notes that nothing applies to a queue now. */
  public void markPlain(int queue) {
    slab.putLong(queue, PLAIN_EPOCH, epoch);
  }

  /** Sets the number of writes of policies. */
  public void epoch(long writes) {
    epoch = writes;
  }

  /** The slot of what a queue has by policies and pauses, or {@link Slab#NONE}. */
  public int rules(int queue) {
    return slab.getInt(queue, RULES);
  }

  /** Sets that slot. */
  public void rules(int queue, int rules) {
    slab.putInt(queue, RULES, rules);
    slab.putLong(queue, PLAIN_EPOCH, -1);
  }

  private void remove(int queue) {
    Invariant.check(isAlive(queue), "a queue is removed once", queue, 0);
    Invariant.check(
        watchPosition(queue) == Slab.NONE && slab.getInt(queue, OLDEST) == Slab.NONE,
        "no index holds an empty queue",
        queue,
        watchPosition(queue));
    Invariant.check(
        bytes(queue) == 0 && inFlight(queue) == 0,
        "an empty queue has no bytes and nothing in flight",
        bytes(queue),
        inFlight(queue));
    if (queue == lastFound) {
      lastFound = Slab.NONE;
    }
    if (queue == lastNamed) {
      lastNamed = Slab.NONE;
    }
    index.remove(slab.getLong(queue, NAME_HASH), queue);
    arena.free(slab.getLong(queue, NAME));
    arena.free(slab.getLong(queue, READY_BLOCK));
    arena.free(slab.getLong(queue, WAITING_BLOCK));
    arena.free(slab.getLong(queue, LATE_BLOCK));
    slab.putInt(queue, FLAGS, 0);
    slab.free(queue);
    Invariant.check(index.size() == slab.size(), "each queue is in the index", queue, index.size());
  }

  /** True if the queue has this name. */
  public boolean isNamed(int queue, DirectBuffer name, int offset, int length) {
    if (slab.getInt(queue, NAME_LENGTH) != length) {
      return false;
    }
    name(queue, scratch);
    return scratch.startsWith(name, offset, length);
  }

  /** Points to the name of a queue. */
  public void name(int queue, Bytes into) {
    // Effects and replies come in runs for one queue, too, and a name is far from its record.
    if (queue != lastNamed) {
      long block = slab.getLong(queue, NAME);
      lastName.set(arena.buffer(block), arena.offset(block), slab.getInt(queue, NAME_LENGTH));
      lastNamed = queue;
    }
    into.set(lastName.buffer(), lastName.offset(), lastName.length());
  }

  public long nameHash(int queue) {
    return slab.getLong(queue, NAME_HASH);
  }

  /**
   * One more than the highest slot ever used. To visit all queues, skip those not {@link #isAlive}.
   */
  public int highWater() {
    return slab.highWater();
  }

  /** True if the slot holds a queue. */
  public boolean isAlive(int queue) {
    return (slab.getInt(queue, FLAGS) & ALIVE) != 0;
  }

  /** Number of queues, including those without a task. */
  public int size() {
    return slab.size();
  }

  /** Bytes of records and index. */
  public long memoryBytes() {
    return slab.memoryBytes() + index.memoryBytes();
  }

  /** Freezes the records for another thread until {@link #thaw}. */
  public FrozenSlab freeze(Freeze freeze, int id) {
    return slab.freeze(freeze, id);
  }

  public void thaw() {
    slab.thaw();
  }

  /** Frees all memory; the store must not be used afterwards. */
  public void close() {
    index.close();
    slab.close();
  }

  public int taskCount(int queue) {
    return readyCount(queue) + waitingCount(queue);
  }

  public int readyCount(int queue) {
    return slab.getInt(queue, READY_SIZE);
  }

  /** Tasks in the waiting heap, some of which may be due. */
  public int waitingCount(int queue) {
    return slab.getInt(queue, WAITING_SIZE);
  }

  /** Waiting tasks that were claimed at least once. */
  public int waitingClaimed(int queue) {
    return slab.getInt(queue, WAITING_CLAIMED);
  }

  /** Waiting tasks that have a claimant. */
  public int waitingHeld(int queue) {
    return slab.getInt(queue, WAITING_HELD);
  }

  /** The highest number of claims of any task. */
  public int claimsMax(int queue) {
    return slab.getInt(queue, CLAIMS_MAX);
  }

  void claimsMax(int queue, int claims) {
    slab.putInt(queue, CLAIMS_MAX, claims);
  }

  /** Bytes of the values and error texts of its tasks. */
  public long bytes(int queue) {
    return slab.getLong(queue, BYTES);
  }

  /** Counts the content of a task that came or, if {@code by} is negative, left. */
  public void addBytes(int queue, long by) {
    if (by != 0) {
      slab.putLong(queue, BYTES, slab.getLong(queue, BYTES) + by);
    }
  }

  /** The number of tasks in flight: {@link InFlight}. */
  public int inFlight(int queue) {
    return slab.getInt(queue, IN_FLIGHT);
  }

  void addInFlight(int queue, int by) {
    int count = slab.getInt(queue, IN_FLIGHT) + by;
    Invariant.check(count >= 0, "tasks in flight", queue, count);
    slab.putInt(queue, IN_FLIGHT, count);
  }

  /** The membership of the claim that was parked here first, or {@link Slab#NONE}. */
  public int firstWaiter(int queue) {
    return slab.getInt(queue, FIRST_WAITER);
  }

  public void firstWaiter(int queue, int membership) {
    slab.putInt(queue, FIRST_WAITER, membership);
  }

  public int lastWaiter(int queue) {
    return slab.getInt(queue, LAST_WAITER);
  }

  public void lastWaiter(int queue, int membership) {
    slab.putInt(queue, LAST_WAITER, membership);
  }

  /** The next queue on the serve list. */
  public int nextToServe(int queue) {
    return slab.getInt(queue, NEXT_TO_SERVE);
  }

  public void nextToServe(int queue, int next) {
    slab.putInt(queue, NEXT_TO_SERVE, next);
  }

  /** True if the queue is on the serve list. */
  public boolean isToServe(int queue) {
    return (slab.getInt(queue, FLAGS) & TO_SERVE) != 0;
  }

  public void isToServe(int queue, boolean toServe) {
    int flags = slab.getInt(queue, FLAGS);
    slab.putInt(queue, FLAGS, toServe ? flags | TO_SERVE : flags & ~TO_SERVE);
  }

  /** Whether the queue is a pool or below one: {@link QueueRules} decides when it is served. */
  public boolean isPooled(int queue) {
    return (slab.getInt(queue, FLAGS) & POOLED) != 0;
  }

  public void isPooled(int queue, boolean isPooled) {
    int flags = slab.getInt(queue, FLAGS);
    slab.putInt(queue, FLAGS, isPooled ? flags | POOLED : flags & ~POOLED);
  }

  /** In how many parts {@link #collect} divides the queues. */
  public int partCount() {
    return index.shardCount();
  }

  /** Adds the queues of a part, which depends on their names alone, to a list, in any order. */
  public void collect(int part, IntArrayList into) {
    index.collect(part, into);
  }

  int watchPosition(int queue) {
    return slab.getInt(queue, WATCH_POSITION);
  }

  void watchPosition(int queue, int position) {
    slab.putInt(queue, WATCH_POSITION, position);
  }
}
