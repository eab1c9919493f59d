package io.entroq.engine.policy;

import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;

/**
 * What queues with rules have besides their records in {@link QueueStore}, by slot of these
 * additional records: their layout, and the digest of them.
 */
final class RuleRecords {

  static final int QUEUE = 0;

  /** The epoch of the lookup; above 0 in a live record. */
  static final int EPOCH = 8;

  static final int POLICY_HASH = 16;
  static final int PAUSED_UNTIL = 24;
  static final int TAT = 32;
  static final int BREAKER_END = 40;
  static final int LAPSED = 48;
  static final int DEAD = 56;
  static final int WATCH_MS = 64;
  static final int IDLE_MS = 72;
  static final int POLICY = 80;
  static final int LIMITERS = 84;

  /** How many tasks in flight the limiters count for this queue. */
  static final int COUNTED = 100;

  static final int FAILURES = 104;
  static final int FRONT = 108;
  static final int BLOCKER = 112;
  static final int BLOCKED_POSITION = 116;
  static final int LEASE_POSITION = 120;
  static final int IDLE_POSITION = 124;
  static final int WATCHED = 128;

  /** Stands for the task in front in the digest; 0 if there is none. */
  static final int FRONT_HASH = 136;

  /** The node of the queue as a member of a pool, or {@link Slab#NONE}. */
  static final int MEMBER = 144;

  /** The node of the queue as a pool, or {@link Slab#NONE}. */
  static final int POOL = 148;

  /** Where the queue is in the order by the first end of a lease: not after that end. */
  static final int LEASE_MS = 152;

  private static final int RECORD_BYTES = 160;

  private static final int CHUNK_SHIFT = 8;

  final Slab slab = new Slab(RECORD_BYTES, CHUNK_SHIFT, EPOCH);
  private final QueueStore queues;
  private long content;

  RuleRecords(QueueStore queues) {
    this.queues = queues;
  }

  /** Gives a queue a record to which nothing applies yet. */
  int add(int queue, long epoch) {
    int rules = restore(queue, epoch);
    afterChange(queue, rules);
    return rules;
  }

  /** Adds the record of an image, before its fields are set; {@link #afterChange} follows. */
  int restore(int queue, long epoch) {
    int rules = slab.allocate();
    slab.putInt(rules, QUEUE, queue);
    slab.putInt(rules, POLICY, Slab.NONE);
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      slab.putInt(rules, LIMITERS + i * Integer.BYTES, Slab.NONE);
    }
    slab.putInt(rules, FRONT, Slab.NONE);
    slab.putInt(rules, BLOCKER, Slab.NONE);
    slab.putInt(rules, BLOCKED_POSITION, Slab.NONE);
    slab.putInt(rules, LEASE_POSITION, Slab.NONE);
    slab.putInt(rules, IDLE_POSITION, Slab.NONE);
    slab.putInt(rules, MEMBER, Slab.NONE);
    slab.putInt(rules, POOL, Slab.NONE);
    // Above 0 from the start: the record is live.
    slab.putLong(rules, EPOCH, epoch);
    queues.rules(queue, rules);
    return rules;
  }

  /** Frees the record of a queue. */
  void remove(int queue, int rules) {
    beforeChange(queue, rules);
    queues.rules(queue, Slab.NONE);
    slab.free(rules);
  }

  /** Takes a record out of the digest, before a field of it changes that counts there. */
  void beforeChange(int queue, int rules) {
    content -= Mix.mix(hash(queue, rules));
  }

  /** Puts a record into the digest, as it is now. */
  void afterChange(int queue, int rules) {
    content += Mix.mix(hash(queue, rules));
  }

  /** The limiter at a position from 0 to 3, or {@link Slab#NONE}. */
  int limiter(int rules, int position) {
    return slab.getInt(rules, LIMITERS + position * Integer.BYTES);
  }

  /** How many tasks in flight a limiter counts for a queue; 0 without a record. */
  int countedIn(int rules, int limiter) {
    if (rules != Slab.NONE) {
      for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
        if (limiter(rules, i) == limiter) {
          return slab.getInt(rules, COUNTED);
        }
      }
    }
    return 0;
  }

  /** The node that a claim means by the name of a queue below a pool, or of one. */
  int node(int queue) {
    int rules = queues.rules(queue);
    int pool = slab.getInt(rules, POOL);
    return pool != Slab.NONE ? pool : slab.getInt(rules, MEMBER);
  }

  /** A sum of the hashes of all records. */
  long content() {
    return content;
  }

  /** The same sum from scratch. */
  long recomputedContent() {
    long sum = 0;
    for (int rules = 0; rules < slab.highWater(); rules++) {
      if (slab.getLong(rules, EPOCH) != 0) {
        sum += Mix.mix(hash(slab.getInt(rules, QUEUE), rules));
      }
    }
    return sum;
  }

  private long hash(int queue, int rules) {
    return Mix.share(0, queues.nameHash(queue))
        + Mix.share(1, slab.getLong(rules, POLICY_HASH))
        + Mix.share(2, slab.getLong(rules, EPOCH))
        + Mix.share(3, slab.getLong(rules, PAUSED_UNTIL))
        + Mix.share(4, slab.getLong(rules, TAT))
        + Mix.share(5, slab.getLong(rules, BREAKER_END))
        + Mix.share(6, slab.getInt(rules, FAILURES))
        + Mix.share(7, slab.getLong(rules, LAPSED))
        + Mix.share(8, slab.getLong(rules, DEAD))
        + Mix.share(9, slab.getLong(rules, FRONT_HASH));
  }
}
