package io.entroq.engine.policy;

import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.Bytes;

/**
 * Which pools a queue is in, by its name and the policies: gives it its nodes, as a pool and as a
 * member of one, when it is looked up.
 */
final class PoolPlacement {

  private final PolicyStore policies;
  private final QueueStore queues;
  private final RuledQueues ruled;
  private final RuleRecords records;
  private final Pools pools;
  private final PoolNames poolNames;
  private final Bytes name = new Bytes();

  /** The pool above the queue that is looked up, and how many levels of pools begin with it. */
  private int poolAbove;

  private int poolDepth;

  PoolPlacement(
      PolicyStore policies,
      QueueStore queues,
      RuledQueues ruled,
      RuleRecords records,
      Pools pools) {
    this.policies = policies;
    this.queues = queues;
    this.ruled = ruled;
    this.records = records;
    this.pools = pools;
    this.poolNames = new PoolNames(new StoredPools(policies));
  }

  /**
   * Whether a queue that was found is a pool or below one, or its record says that it was a pool.
   */
  boolean concerns(int rules) {
    return poolAbove != Slab.NONE || poolDepth > 0 || (rules != Slab.NONE && hasMembers(rules));
  }

  /** Whether the queue has members besides itself, be it a pool or was one. */
  boolean hasMembers(int rules) {
    int pool = records.slab.getInt(rules, RuleRecords.POOL);
    return pool != Slab.NONE && pools.memberCount(pool) > (ownMember(rules, pool) ? 1 : 0);
  }

  private boolean ownMember(int rules, int pool) {
    int member = records.slab.getInt(rules, RuleRecords.MEMBER);
    return member != Slab.NONE && pools.parent(member) == pool;
  }

  /** Finds the pool above a queue, which may be added, and whether the queue itself is one. */
  void find(int queue) {
    int above = Slab.NONE;
    if (policies.poolCount() > 0) {
      queues.name(queue, name);
      int length = PoolNames.parentLength(name.buffer(), name.offset(), name.length());
      if (length > 0 && poolNames.find(name.buffer(), name.offset(), length).depth() > 0) {
        int parent = queues.findOrAdd(name.buffer(), name.offset(), length);
        ruled.touch(parent);
        above = records.slab.getInt(queues.rules(parent), RuleRecords.POOL);
      }
    }
    // After the parent was looked up, which came this way too.
    poolAbove = above;
    poolDepth = 0;
    if (policies.poolCount() > 0) {
      queues.name(queue, name);
      poolDepth = poolNames.find(name.buffer(), name.offset(), name.length()).depth();
    }
  }

  /**
   * Gives a queue its nodes, after {@link #find}.
   *
   * @param limiters those that its tasks share
   */
  void place(int queue, int rules, int[] limiters) {
    int policy = records.slab.getInt(rules, RuleRecords.POLICY);
    int weight = policy == Slab.NONE ? 1 : policies.rules(policy).weight();
    int rank = policy == Slab.NONE ? 0 : policies.rules(policy).rank();
    int above = poolAbove;
    if (poolDepth > 0) {
      int pool = records.slab.getInt(rules, RuleRecords.POOL);
      if (pool == Slab.NONE) {
        pool = pools.add(queue, true);
        records.slab.putInt(rules, RuleRecords.POOL, pool);
      }
      setPool(queue, pool);
      pools.share(pool, weight, rank);
      pools.move(pool, above, Resolution.NO_LIMITERS);
      above = pool;
    }
    int member = records.slab.getInt(rules, RuleRecords.MEMBER);
    if (above != Slab.NONE) {
      if (member == Slab.NONE) {
        member = pools.add(queue, false);
        records.slab.putInt(rules, RuleRecords.MEMBER, member);
      }
      pools.share(member, weight, rank);
      pools.move(member, above, limiters);
    } else if (member != Slab.NONE) {
      pools.remove(member);
      records.slab.putInt(rules, RuleRecords.MEMBER, Slab.NONE);
    }
    if (poolDepth == 0) {
      removePoolIfLeft(rules);
    }
    queues.isPooled(queue, isPooled(rules));
  }

  private void setPool(int queue, int pool) {
    queues.name(queue, name);
    PolicyDecoder rules = policies.rules(poolNames.source());
    int fair = rules.fair();
    boolean isOwn = name.matches(rules.buffer(), rules.nameOffset(), rules.nameLength());
    long interval =
        isOwn ? Rate.intervalMicros(rules.poolRateLimit(), rules.poolRatePeriodMs()) : 0;
    pools
        .nodes()
        .rules(
            pool,
            fair,
            isOwn ? rules.poolInFlightMax() : 0,
            interval,
            Rate.toleranceMicros(interval, isOwn ? rules.poolRateBurst() : 0));
    int exact = policies.find(PolicyKinds.QUEUE, name.buffer(), name.offset(), name.length());
    pools.nodes().pausedUntil(pool, exact == Slab.NONE ? 0 : policies.pausedUntilMs(exact));
  }

  private void removePoolIfLeft(int rules) {
    if (isLeft(rules)) {
      pools.remove(records.slab.getInt(rules, RuleRecords.POOL));
      records.slab.putInt(rules, RuleRecords.POOL, Slab.NONE);
    }
  }

  /** Takes a queue out of all pools, before its record is freed. */
  void leave(int queue, int rules) {
    int member = records.slab.getInt(rules, RuleRecords.MEMBER);
    if (member != Slab.NONE) {
      pools.remove(member);
      records.slab.putInt(rules, RuleRecords.MEMBER, Slab.NONE);
    }
    removePoolIfLeft(rules);
    queues.isPooled(queue, false);
  }

  /** Whether the last member has left what was a pool. */
  boolean isLeft(int rules) {
    int pool = records.slab.getInt(rules, RuleRecords.POOL);
    return pool != Slab.NONE && pools.memberCount(pool) == 0;
  }

  boolean isPooled(int rules) {
    return records.slab.getInt(rules, RuleRecords.MEMBER) != Slab.NONE
        || records.slab.getInt(rules, RuleRecords.POOL) != Slab.NONE;
  }

  /** Marks the nodes of a queue: something of it has changed or will. */
  void changed(int rules) {
    int member = records.slab.getInt(rules, RuleRecords.MEMBER);
    if (member != Slab.NONE) {
      pools.changed(member);
    }
    int pool = records.slab.getInt(rules, RuleRecords.POOL);
    if (pool != Slab.NONE) {
      pools.changed(pool);
    }
  }

  /** Whether policies make a queue a pool or a member of one, or did when it was looked up. */
  boolean belongs(int queue) {
    if (queues.isPooled(queue)) {
      return true;
    }
    queues.name(queue, name);
    int length = PoolNames.parentLength(name.buffer(), name.offset(), name.length());
    return poolNames.find(name.buffer(), name.offset(), name.length()).depth() > 0
        || (length > 0 && poolNames.find(name.buffer(), name.offset(), length).depth() > 0);
  }

  /** Gives a queue its node of an image; false if it has one. */
  boolean restoreNode(int queue, int node) {
    int field = pools.nodes().isPool(node) ? RuleRecords.POOL : RuleRecords.MEMBER;
    int rules = queues.rules(queue);
    if (records.slab.getInt(rules, field) != Slab.NONE) {
      return false;
    }
    records.slab.putInt(rules, field, node);
    queues.isPooled(queue, true);
    pools.nodes().queue(node, queue);
    if (field == RuleRecords.POOL) {
      pools.restorePool(node);
    }
    return true;
  }

  /** Makes a node of an image a member of a pool, beside those that share its limiters. */
  void restoreParent(int node, int parent) {
    int[] shared = Resolution.NO_LIMITERS;
    if (!pools.nodes().isPool(node)) {
      int rules = queues.rules(pools.nodes().queue(node));
      shared = new int[Resolution.LIMITERS_MAX];
      for (int i = 0; i < shared.length; i++) {
        shared[i] = records.limiter(rules, i);
      }
    }
    pools.restoreParent(node, parent, shared);
  }
}
