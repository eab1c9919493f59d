package io.entroq.engine.policy;

import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;
import java.util.Arrays;
import org.agrona.collections.IntArrayList;

/**
 * The members of all pools, by {@link MemberGroup group}: which one a pool chooses, and which holds
 * the oldest claim to be served. A source of deadlines: the groups whose limiters open in time.
 */
final class PoolMembers implements DeadlineSource {

  private final PolicyStore policies;
  private final PoolNodes nodes;
  private MemberGroup[] groups = new MemberGroup[8];
  private int groupCount;

  /** Groups that are not used. */
  private final IntArrayList spare = new IntArrayList();

  /** By the slot of a pool. */
  private Pool[] pools = new Pool[8];

  /** The groups of each limiter, by its slot. */
  private IntArrayList[] byLimiter = new IntArrayList[8];

  private final IntArrayList changedLimiters = new IntArrayList();

  /** The groups with open members that limiters close until a time. */
  private final SlotHeap opening =
      new SlotHeap() {
        @Override
        protected boolean before(int a, int b) {
          return groups[a].opensMs() < groups[b].opensMs();
        }

        @Override
        protected void moved(int group, int position) {
          groups[group].opensPosition = position;
        }
      };

  PoolMembers(PolicyStore policies, PoolNodes nodes) {
    this.policies = policies;
    this.nodes = nodes;
  }

  /** The groups of one pool that limiters do not close. */
  private final class Pool {
    final IntArrayList all = new IntArrayList();

    /** Those with open members. */
    final SlotHeap open =
        new SlotHeap() {
          @Override
          protected boolean before(int a, int b) {
            return nodes.isBefore(groups[a].open.root(), groups[b].open.root());
          }

          @Override
          protected void moved(int group, int position) {
            groups[group].openPosition = position;
          }
        };

    /** Those with claims to be served. */
    final SlotHeap waiting =
        new SlotHeap() {
          @Override
          protected boolean before(int a, int b) {
            return groups[a].best() < groups[b].best();
          }

          @Override
          protected void moved(int group, int position) {
            groups[group].bestPosition = position;
          }
        };

    void close() {
      open.close();
      waiting.close();
    }
  }

  /** Makes room for the members of a new pool. */
  void addPool(int pool) {
    if (pool >= pools.length) {
      pools = Arrays.copyOf(pools, Math.max(pool + 1, 2 * pools.length));
    }
    if (pools[pool] == null) {
      pools[pool] = new Pool();
    }
  }

  /**
   * Adds a member, which is not open.
   *
   * @param limiters those that it shares, or no slots
   */
  void add(int pool, int member, int[] limiters) {
    int group = findOrAdd(pool, limiters);
    groups[group].count(1);
    nodes.slab.putInt(member, PoolNodes.GROUP, group);
  }

  private int findOrAdd(int pool, int[] limiters) {
    IntArrayList all = pools[pool].all;
    for (int i = 0; i < all.size(); i++) {
      if (groups[all.getInt(i)].isFor(limiters)) {
        return all.getInt(i);
      }
    }
    int group = spare.isEmpty() ? groupCount++ : spare.removeAt(spare.size() - 1);
    if (group >= groups.length) {
      groups = Arrays.copyOf(groups, 2 * groups.length);
    }
    if (groups[group] == null) {
      groups[group] = new MemberGroup(nodes);
    }
    groups[group].begin(pool, limiters);
    all.addInt(group);
    for (int limiter : limiters) {
      if (limiter != Slab.NONE) {
        groupsOf(limiter).addInt(group);
        policies.addGroups(limiter, 1);
        limiterChanged(limiter);
      }
    }
    return group;
  }

  private IntArrayList groupsOf(int limiter) {
    if (limiter >= byLimiter.length) {
      byLimiter = Arrays.copyOf(byLimiter, Math.max(limiter + 1, 2 * byLimiter.length));
    }
    if (byLimiter[limiter] == null) {
      byLimiter[limiter] = new IntArrayList();
    }
    return byLimiter[limiter];
  }

  /** Whether a member shares these limiters. */
  boolean shares(int member, int[] limiters) {
    return groups[nodes.slab.getInt(member, PoolNodes.GROUP)].isFor(limiters);
  }

  /** Removes a member, which is neither open nor holds claims to be served. */
  void remove(int member) {
    int group = nodes.slab.getInt(member, PoolNodes.GROUP);
    nodes.slab.putInt(member, PoolNodes.GROUP, Slab.NONE);
    if (groups[group].count(-1) > 0) {
      return;
    }
    follow(group);
    pools[groups[group].pool()].all.removeInt(group);
    spare.addInt(group);
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = groups[group].limiter(i);
      if (limiter != Slab.NONE) {
        byLimiter[limiter].removeInt(group);
        policies.addGroups(limiter, -1);
        policies.removeIfUnused(limiter);
      }
    }
  }

  /** A member opens. Its key and its time are set. */
  void open(int member) {
    int group = nodes.slab.getInt(member, PoolNodes.GROUP);
    groups[group].open.add(member);
    follow(group);
  }

  /** A member closes. */
  void shut(int member) {
    int group = nodes.slab.getInt(member, PoolNodes.GROUP);
    groups[group].open.removeAt(nodes.slab.getInt(member, PoolNodes.MEMBER_POSITION));
    nodes.slab.putInt(member, PoolNodes.MEMBER_POSITION, Slab.NONE);
    follow(group);
  }

  /** The key or the time of an open member has changed. */
  void reorder(int member) {
    int group = nodes.slab.getInt(member, PoolNodes.GROUP);
    groups[group].open.updateAt(nodes.slab.getInt(member, PoolNodes.MEMBER_POSITION));
    follow(group);
  }

  /** Sets the sequence of the oldest claim to be served in or below a member. */
  void best(int member, long sequence) {
    int group = nodes.slab.getInt(member, PoolNodes.GROUP);
    setBest(nodes, groups[group].waiting, member, sequence);
    follow(group);
  }

  /** Does so for a node in a heap that has those with claims only. */
  static void setBest(PoolNodes nodes, SlotHeap heap, int node, long sequence) {
    nodes.slab.putLong(node, PoolNodes.BEST, sequence);
    int position = nodes.slab.getInt(node, PoolNodes.BEST_POSITION);
    if (sequence == Long.MAX_VALUE) {
      if (position != Slab.NONE) {
        heap.removeAt(position);
        nodes.slab.putInt(node, PoolNodes.BEST_POSITION, Slab.NONE);
      }
    } else if (position == Slab.NONE) {
      heap.add(node);
    } else {
      heap.updateAt(position);
    }
  }

  /** Brings the places of a group up to date. */
  private void follow(int index) {
    MemberGroup group = groups[index];
    Pool pool = pools[group.pool()];
    boolean hasOpen = group.open.size() > 0;
    if (place(pool.open, index, group.openPosition, hasOpen && group.isPermitted())) {
      group.openPosition = Slab.NONE;
    }
    boolean waits = group.waiting.size() > 0 && group.isPermitted();
    if (place(pool.waiting, index, group.bestPosition, waits)) {
      group.bestPosition = Slab.NONE;
    }
    boolean opens = hasOpen && group.opensMs() != Long.MAX_VALUE;
    if (place(opening, index, group.opensPosition, opens)) {
      group.opensPosition = Slab.NONE;
    }
  }

  /** Returns whether it has taken the group out. */
  private static boolean place(SlotHeap heap, int group, int position, boolean isWanted) {
    if (isWanted && position == Slab.NONE) {
      heap.add(group);
    } else if (isWanted && heap.size() > 1) {
      heap.updateAt(position);
    } else if (!isWanted && position != Slab.NONE) {
      heap.removeAt(position);
      return true;
    }
    return false;
  }

  /** Whether limiters permit a start of a member. */
  boolean isPermitted(int member) {
    int group = nodes.slab.getInt(member, PoolNodes.GROUP);
    return group == Slab.NONE || groups[group].isPermitted();
  }

  /** The member that a pool chooses, or {@link Slab#NONE}. */
  int first(int pool) {
    SlotHeap open = pools[pool].open;
    return open.size() == 0 ? Slab.NONE : groups[open.root()].open.root();
  }

  /** The member of a pool with the oldest claim to be served, or {@link Slab#NONE}. */
  int firstWaiting(int pool) {
    SlotHeap waiting = pools[pool].waiting;
    return waiting.size() == 0 ? Slab.NONE : groups[waiting.root()].waiting.root();
  }

  // Limiters.

  /** A limiter's rules, pause, starts or tasks in flight have changed. */
  void limiterChanged(int limiter) {
    if (limiter < byLimiter.length
        && byLimiter[limiter] != null
        && !byLimiter[limiter].isEmpty()
        && !changedLimiters.containsInt(limiter)) {
      changedLimiters.addInt(limiter);
    }
  }

  boolean hasChangedLimiters() {
    return !changedLimiters.isEmpty();
  }

  /** Takes the pool of a group to look at. */
  interface Look {
    void at(int pool);
  }

  /** Looks at the groups of limiters that have changed, and at those that open in time. */
  void followLimiters(long nowMs, Look look) {
    while (firstDeadlineMs() <= nowMs) {
      permit(opening.root(), nowMs, look);
    }
    for (int i = 0; i < changedLimiters.size(); i++) {
      IntArrayList all = byLimiter[changedLimiters.getInt(i)];
      for (int j = 0; j < all.size(); j++) {
        permit(all.getInt(j), nowMs, look);
      }
    }
    changedLimiters.clear();
  }

  private void permit(int index, long nowMs, Look look) {
    MemberGroup group = groups[index];
    long opensMs = Long.MIN_VALUE;
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = group.limiter(i);
      if (limiter != Slab.NONE) {
        opensMs =
            Math.max(
                opensMs, policies.isFull(limiter) ? Long.MAX_VALUE : policies.opensMs(limiter));
      }
    }
    group.permitted(opensMs <= nowMs, opensMs);
    follow(index);
    look.at(group.pool());
  }

  @Override
  public long firstDeadlineMs() {
    return opening.size() == 0 ? Long.MAX_VALUE : groups[opening.root()].opensMs();
  }

  void close() {
    opening.close();
    for (Pool pool : pools) {
      if (pool != null) {
        pool.close();
      }
    }
    for (MemberGroup group : groups) {
      if (group != null) {
        group.close();
      }
    }
  }
}
