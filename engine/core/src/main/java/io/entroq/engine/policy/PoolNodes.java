package io.entroq.engine.policy;

import io.entroq.codec.message.Fairs;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;

/**
 * The pools, and the queues below them, by slot: each is a node, whose parent is the pool of which
 * it is a member. The queue that is named like a pool has two: its own tasks are a member of the
 * pool.
 */
final class PoolNodes {

  static final int QUEUE = 0;
  static final int PARENT = 4;

  /** What a start adds to the virtual time; above 0 in a live record. */
  static final int QUANTUM = 8;

  static final int NAME_HASH = 16;

  /** What the order of the pool compares first. */
  static final int KEY = 24;

  static final int VIRTUAL_TIME = 32;

  /** When it opens, if only time closes it; {@link Long#MAX_VALUE} otherwise. */
  static final int OPENS = 40;

  /** The sequence of the oldest claim to be served in or below it; the largest number: none. */
  static final int BEST = 48;

  /** Of a pool: the virtual time of the last start that it chose. */
  static final int POOL_TIME = 56;

  static final int TAT = 64;
  static final int INTERVAL = 72;
  static final int TOLERANCE = 80;
  static final int PAUSED_UNTIL = 88;
  static final int WEIGHT = 96;
  static final int RANK = 100;
  static final int FLAGS = 104;
  static final int GROUP = 108;
  static final int MEMBER_POSITION = 112;
  static final int OPENS_POSITION = 116;
  static final int BEST_POSITION = 120;
  static final int IN_FLIGHT = 124;
  static final int IN_FLIGHT_MAX = 128;
  static final int FAIR = 132;
  static final int MEMBERS = 136;

  /** The virtual time by which its pool has it in order: that of the last look. */
  static final int ORDER_TIME = 144;

  /** Of the fields that count in the digest. */
  private static final int HASH = 152;

  static final int RECORD_BYTES = 160;

  static final int IS_POOL = 1;

  /** At the last look, it had work that nothing in or below it kept from starting. */
  static final int IS_OPEN = 1 << 1;

  private static final int IS_CHANGED = 1 << 2;

  private static final int CHUNK_SHIFT = 8;
  private static final long UNIT = 1 << 20;

  final Slab slab = new Slab(RECORD_BYTES, CHUNK_SHIFT, QUANTUM);
  private final QueueStore queues;
  private long content;

  PoolNodes(QueueStore queues) {
    this.queues = queues;
  }

  /** Adds a node without a parent. */
  int add(int queue, boolean isPool) {
    int node = restore();
    queue(node, queue);
    slab.putInt(node, FLAGS, isPool ? IS_POOL : 0);
    restored(node);
    return node;
  }

  /** Adds a node of an image, before its fields are set. */
  int restore() {
    int node = slab.allocate();
    slab.putInt(node, PARENT, Slab.NONE);
    slab.putLong(node, QUANTUM, UNIT);
    slab.putLong(node, OPENS, Long.MAX_VALUE);
    slab.putLong(node, BEST, Long.MAX_VALUE);
    slab.putInt(node, WEIGHT, 1);
    slab.putInt(node, GROUP, Slab.NONE);
    slab.putInt(node, MEMBER_POSITION, Slab.NONE);
    slab.putInt(node, OPENS_POSITION, Slab.NONE);
    slab.putInt(node, BEST_POSITION, Slab.NONE);
    return node;
  }

  /** Sets the queue of a node. */
  void queue(int node, int queue) {
    slab.putInt(node, QUEUE, queue);
    slab.putLong(node, NAME_HASH, queues.nameHash(queue));
  }

  /** Frees a node that has no parent and no members. */
  void remove(int node) {
    Invariant.check(
        parent(node) == Slab.NONE && slab.getInt(node, MEMBERS) == 0,
        "a node without members is removed from its pool first",
        node,
        slab.getInt(node, MEMBERS));
    unchanged(node);
    content -= Mix.mix(slab.getLong(node, HASH));
    slab.free(node);
  }

  boolean isLive(int node) {
    return slab.getLong(node, QUANTUM) != 0;
  }

  int queue(int node) {
    return slab.getInt(node, QUEUE);
  }

  int parent(int node) {
    return slab.getInt(node, PARENT);
  }

  boolean isPool(int node) {
    return (slab.getInt(node, FLAGS) & IS_POOL) != 0;
  }

  boolean isOpen(int node) {
    return (slab.getInt(node, FLAGS) & IS_OPEN) != 0;
  }

  void isOpen(int node, boolean isOpen) {
    int flags = slab.getInt(node, FLAGS);
    if (isOpen != ((flags & IS_OPEN) != 0)) {
      slab.putInt(node, FLAGS, flags ^ IS_OPEN);
      // The virtual time of a closed node does not matter.
      long open = Mix.share(1, IS_OPEN) + Mix.share(2, virtualTime(node));
      rehash(node, isOpen ? open : -open);
    }
  }

  /** Marks a node to be looked at again; false if it was marked before. */
  boolean changed(int node) {
    int flags = slab.getInt(node, FLAGS);
    slab.putInt(node, FLAGS, flags | IS_CHANGED);
    return (flags & IS_CHANGED) == 0;
  }

  /** Whether a node is marked, and one of a pool or not. */
  boolean isChanged(int node, boolean isPool) {
    return (slab.getInt(node, FLAGS) & (IS_CHANGED | IS_POOL))
        == (isPool ? IS_CHANGED | IS_POOL : IS_CHANGED);
  }

  void unchanged(int node) {
    slab.putInt(node, FLAGS, slab.getInt(node, FLAGS) & ~IS_CHANGED);
  }

  /** The number of pools above a node. */
  int level(int node) {
    int level = 0;
    for (int at = parent(node); at != Slab.NONE; at = parent(at)) {
      level++;
    }
    return level;
  }

  /** Tasks in flight in and below it. */
  int inFlight(int node) {
    return isPool(node) ? slab.getInt(node, IN_FLIGHT) : queues.inFlight(queue(node));
  }

  /** Counts tasks in flight in a pool and in those above it. */
  void count(int pool, int by) {
    for (int at = pool; at != Slab.NONE && by != 0; at = parent(at)) {
      int count = slab.getInt(at, IN_FLIGHT) + by;
      Invariant.check(count >= 0, "tasks in flight of a pool", at, count);
      slab.putInt(at, IN_FLIGHT, count);
      rehash(at, Mix.share(9, by));
    }
  }

  /** Counts tasks in flight of an image. */
  void restoreCount(int pool, int by) {
    for (int at = pool; at != Slab.NONE; at = parent(at)) {
      slab.putInt(at, IN_FLIGHT, slab.getInt(at, IN_FLIGHT) + by);
    }
  }

  /** Whether a pool has as many tasks in flight as it may. */
  boolean isFull(int pool) {
    int max = slab.getInt(pool, IN_FLIGHT_MAX);
    return max > 0 && slab.getInt(pool, IN_FLIGHT) >= max;
  }

  /** When pause and rate of a pool permit a start; may lie in the past. */
  long gateMs(int pool) {
    long pausedUntilMs = slab.getLong(pool, PAUSED_UNTIL);
    return slab.getLong(pool, INTERVAL) == 0
        ? pausedUntilMs
        : Math.max(
            pausedUntilMs, Rate.opensMs(slab.getLong(pool, TAT), slab.getLong(pool, TOLERANCE)));
  }

  /** Counts a start in the rate of a pool. */
  void started(int pool, long nowMs) {
    long interval = slab.getLong(pool, INTERVAL);
    if (interval != 0) {
      long tat = slab.getLong(pool, TAT);
      long next = Rate.afterStart(tat, interval, nowMs);
      slab.putLong(pool, TAT, next);
      rehash(pool, Mix.share(6, next - tat));
    }
  }

  /** What a start adds to the virtual time of a member. */
  static long quantum(int weight) {
    return UNIT / weight;
  }

  /** Sets the share of a member, and its rank. */
  void share(int node, int weight, int rank) {
    slab.putInt(node, WEIGHT, weight);
    slab.putInt(node, RANK, rank);
    slab.putLong(node, QUANTUM, quantum(weight));
    rehash(node);
  }

  /** Sets the rules of a pool. */
  void rules(int pool, int fair, int inFlightMax, long intervalMicros, long toleranceMicros) {
    slab.putInt(pool, FAIR, fair);
    slab.putInt(pool, IN_FLIGHT_MAX, inFlightMax);
    slab.putLong(pool, INTERVAL, intervalMicros);
    slab.putLong(pool, TOLERANCE, toleranceMicros);
    rehash(pool);
  }

  /** Pauses a pool; 0: not. */
  void pausedUntil(int pool, long untilMs) {
    slab.putLong(pool, PAUSED_UNTIL, untilMs);
    rehash(pool);
  }

  long virtualTime(int node) {
    return slab.getLong(node, VIRTUAL_TIME);
  }

  /**
   * A member is about to open: it starts one step after the pool, so that returning is no
   * advantage.
   */
  void begin(int node) {
    slab.putLong(
        node, VIRTUAL_TIME, slab.getLong(parent(node), POOL_TIME) + slab.getLong(node, QUANTUM));
  }

  /** A member starts a task. */
  void advance(int node) {
    long time = virtualTime(node);
    long next = Math.max(time, slab.getLong(parent(node), POOL_TIME)) + slab.getLong(node, QUANTUM);
    slab.putLong(node, VIRTUAL_TIME, next);
    if (isOpen(node)) {
      rehash(node, Mix.share(2, next - time));
    }
  }

  /** A pool has chosen a member. */
  void chosen(int pool, int member) {
    long ahead = virtualTime(member) - slab.getLong(pool, POOL_TIME);
    if (ahead > 0) {
      slab.putLong(pool, POOL_TIME, virtualTime(member));
      rehash(pool, Mix.share(5, ahead));
    }
  }

  /** What the order of its pool compares first, now. */
  long key(int node) {
    return switch (slab.getInt(parent(node), FAIR)) {
      case Fairs.LEAST_IN_FLIGHT -> inFlight(node) * UNIT / slab.getInt(node, WEIGHT);
      case Fairs.STRICT_RANK -> -(long) slab.getInt(node, RANK);
      default -> 0;
    };
  }

  /** Has the order of its pool compare what an open member has now; whether that is new. */
  boolean orders(int node) {
    long key = key(node);
    long time = virtualTime(node);
    if (key == slab.getLong(node, KEY) && time == slab.getLong(node, ORDER_TIME)) {
      return false;
    }
    slab.putLong(node, KEY, key);
    slab.putLong(node, ORDER_TIME, time);
    return true;
  }

  /** Whether a member is chosen before another of the same pool. */
  boolean isBefore(int a, int b) {
    long keyA = slab.getLong(a, KEY);
    long keyB = slab.getLong(b, KEY);
    if (keyA != keyB) {
      return keyA < keyB;
    }
    long timeA = slab.getLong(a, ORDER_TIME);
    long timeB = slab.getLong(b, ORDER_TIME);
    return timeA < timeB || (timeA == timeB && isNameBefore(a, b));
  }

  /** A total order by name; a pool is before the member that has its name. */
  boolean isNameBefore(int a, int b) {
    long hashA = slab.getLong(a, NAME_HASH);
    long hashB = slab.getLong(b, NAME_HASH);
    if (hashA != hashB) {
      return hashA < hashB;
    }
    if (queue(a) == queue(b)) {
      return isPool(a) && !isPool(b);
    }
    return queues.isNameBefore(queue(a), queue(b));
  }

  /** Several fields of the digest have changed. */
  private void rehash(int node) {
    rehash(node, hash(node) - slab.getLong(node, HASH));
  }

  /** The hash of a node has changed by so much. */
  private void rehash(int node, long by) {
    long former = slab.getLong(node, HASH);
    slab.putLong(node, HASH, former + by);
    content += Mix.mix(former + by) - Mix.mix(former);
  }

  /** A sum of the hashes of all nodes. */
  long content() {
    return content;
  }

  /** The same sum from scratch. */
  long recomputedContent() {
    long sum = 0;
    for (int node = 0; node < slab.highWater(); node++) {
      if (isLive(node)) {
        sum += Mix.mix(hash(node));
      }
    }
    return sum;
  }

  /** Counts a node of an image, after its fields are set. */
  void restored(int node) {
    slab.putLong(node, HASH, hash(node));
    slab.putLong(node, ORDER_TIME, virtualTime(node));
    content += Mix.mix(hash(node));
  }

  private long hash(int node) {
    int flags = slab.getInt(node, FLAGS) & (IS_POOL | IS_OPEN);
    long hash =
        Mix.share(0, slab.getLong(node, NAME_HASH))
            + Mix.share(1, flags)
            + Mix.share(2, (flags & IS_OPEN) == 0 ? 0 : virtualTime(node))
            + Mix.share(3, slab.getLong(node, QUANTUM))
            + Mix.share(4, slab.getInt(node, RANK));
    return (flags & IS_POOL) == 0
        ? hash
        : hash
            + Mix.share(5, slab.getLong(node, POOL_TIME))
            + Mix.share(6, slab.getLong(node, TAT))
            + Mix.share(7, slab.getLong(node, INTERVAL) + slab.getLong(node, TOLERANCE))
            + Mix.share(8, slab.getLong(node, PAUSED_UNTIL))
            + Mix.share(9, slab.getInt(node, IN_FLIGHT))
            + Mix.share(10, slab.getInt(node, IN_FLIGHT_MAX))
            + Mix.share(11, slab.getInt(node, FAIR));
  }
}
