package io.entroq.engine.policy;

import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.waiter.WaiterStore;
import org.agrona.collections.IntArrayList;

/**
 * Pools of queues: whose task a claim gets that names a pool, and which parked claim is served.
 *
 * <p>A node is <i>open</i> if it has work, and neither its number of tasks in flight nor its rate
 * nor a pause keeps it from a start; a pool has work if a member is open whose shared limiters
 * permit a start. That looks only down. A claim gets a task of a node if that and all pools above
 * are open, so a pool that closes changes none of its members.
 *
 * <p>Whatever changes a node only marks it. All marked nodes are looked at together, from below,
 * before a choice and at the end of a step: {@link #settle}. So the order of changes between two
 * choices does not matter, nor does anything in between.
 *
 * <p>A source of deadlines: when nodes open that only time closes.
 */
public final class Pools implements DeadlineSource {

  /** While policies change, more than three levels of pools may be above each other. */
  static final int LEVELS = 2 * PoolNames.LEVELS_MAX;

  private final RuledQueues ruled;
  private final RuleRecords records;
  private final QueueStore queues;
  private final WaiterStore waiters;
  private final PoolNodes nodes;
  private final PoolMembers members;

  /** The nodes of queues to be looked at, and those of pools. */
  private final IntArrayList changed = new IntArrayList();

  private final IntArrayList changedPools = new IntArrayList();

  /** Queues of pools that a member has left, and that nothing may keep any more. */
  private final IntArrayList left = new IntArrayList();

  private final PoolMembers.Look poolChanged = this::changed;

  /** The nodes that only time closes. */
  private final SlotHeap opening;

  /** The pools without a parent that have claims to be served. */
  private final SlotHeap waiting;

  Pools(
      PolicyStore policies,
      RuledQueues ruled,
      RuleRecords records,
      QueueStore queues,
      WaiterStore waiters) {
    this.ruled = ruled;
    this.records = records;
    this.queues = queues;
    this.waiters = waiters;
    this.nodes = new PoolNodes(queues);
    this.members = new PoolMembers(policies, nodes);
    this.opening = new Opening();
    this.waiting = new Waiting();
  }

  private final class Opening extends SlotHeap {
    @Override
    protected boolean before(int a, int b) {
      long opensA = nodes.slab.getLong(a, PoolNodes.OPENS);
      long opensB = nodes.slab.getLong(b, PoolNodes.OPENS);
      return opensA < opensB || (opensA == opensB && nodes.isNameBefore(a, b));
    }

    @Override
    protected void moved(int node, int position) {
      nodes.slab.putInt(node, PoolNodes.OPENS_POSITION, position);
    }
  }

  private final class Waiting extends SlotHeap {
    @Override
    protected boolean before(int a, int b) {
      return nodes.slab.getLong(a, PoolNodes.BEST) < nodes.slab.getLong(b, PoolNodes.BEST);
    }

    @Override
    protected void moved(int node, int position) {
      nodes.slab.putInt(node, PoolNodes.BEST_POSITION, position);
    }
  }

  PoolNodes nodes() {
    return nodes;
  }

  /** Number of pools, and of queues below them. */
  public int size() {
    return nodes.slab.size();
  }

  // Who belongs where.

  /** Adds the pool of a queue, or the queue as a member; {@link #move} follows. */
  int add(int queue, boolean isPool) {
    int node = nodes.add(queue, isPool);
    if (isPool) {
      members.addPool(node);
    }
    changed(node);
    return node;
  }

  /**
   * Makes a node a member of a pool, or of none.
   *
   * @param parent or {@link Slab#NONE}
   * @param limiters those that its tasks share, or no slots
   */
  void move(int node, int parent, int[] limiters) {
    changed(node);
    if (nodes.parent(node) != parent) {
      leave(node);
      join(node, parent, limiters);
    } else if (parent != Slab.NONE && !members.shares(node, limiters)) {
      boolean isOpen = nodes.isOpen(node);
      long best = nodes.slab.getLong(node, PoolNodes.BEST);
      takeOut(node, isOpen);
      members.remove(node);
      members.add(parent, node, limiters);
      if (isOpen) {
        members.open(node);
      }
      members.best(node, best);
    }
  }

  private void takeOut(int node, boolean isOpen) {
    members.best(node, Long.MAX_VALUE);
    if (isOpen) {
      members.shut(node);
    }
  }

  private void join(int node, int parent, int[] limiters) {
    if (parent == Slab.NONE) {
      return;
    }
    attach(node, parent, limiters);
    nodes.count(parent, nodes.inFlight(node));
  }

  private void attach(int node, int parent, int[] limiters) {
    nodes.slab.putInt(node, PoolNodes.PARENT, parent);
    nodes.slab.putInt(parent, PoolNodes.MEMBERS, nodes.slab.getInt(parent, PoolNodes.MEMBERS) + 1);
    members.add(parent, node, limiters);
  }

  private void leave(int node) {
    int parent = nodes.parent(node);
    if (parent == Slab.NONE) {
      PoolMembers.setBest(nodes, waiting, node, Long.MAX_VALUE);
    } else {
      takeOut(node, nodes.isOpen(node));
      members.remove(node);
      nodes.count(parent, -nodes.inFlight(node));
      nodes.slab.putInt(node, PoolNodes.PARENT, Slab.NONE);
      nodes.slab.putInt(
          parent, PoolNodes.MEMBERS, nodes.slab.getInt(parent, PoolNodes.MEMBERS) - 1);
      changed(parent);
      left.addInt(nodes.queue(parent));
    }
    if (nodes.isOpen(node)) {
      nodes.isOpen(node, false);
    }
  }

  /** Removes a node without members. */
  void remove(int node) {
    leave(node);
    opens(node, Long.MAX_VALUE);
    nodes.remove(node);
  }

  /** Sets the share of a member, and its rank. */
  void share(int node, int weight, int rank) {
    nodes.share(node, Math.max(1, weight), rank);
  }

  int memberCount(int pool) {
    return nodes.slab.getInt(pool, PoolNodes.MEMBERS);
  }

  int parent(int node) {
    return nodes.parent(node);
  }

  /** A queue that nothing may keep any more, after {@link #settle}; {@link Slab#NONE} if none. */
  public int takeLeft() {
    while (!left.isEmpty()) {
      int queue = left.removeAt(left.size() - 1);
      if (queues.isAlive(queue)) {
        return queue;
      }
    }
    return Slab.NONE;
  }

  // What changes.

  /** Marks a node: something of it has changed or will. */
  void changed(int node) {
    if (nodes.changed(node)) {
      (nodes.isPool(node) ? changedPools : changed).addInt(node);
    }
  }

  /** Counts a task in flight of a queue, or one less. */
  void count(int member, int by) {
    nodes.count(nodes.parent(member), by);
  }

  void limiterChanged(int limiter) {
    members.limiterChanged(limiter);
  }

  /** Counts a start of a task of a member. */
  void started(int member, long nowMs) {
    for (int node = member; node != Slab.NONE; node = nodes.parent(node)) {
      if (nodes.isPool(node)) {
        nodes.started(node, nowMs);
      }
      if (nodes.parent(node) != Slab.NONE) {
        nodes.advance(node);
      }
      changed(node);
    }
  }

  /** Looks at all nodes that may have changed. Does nothing while a command is only checked. */
  void settle(long nowMs) {
    if (changed.isEmpty()
        && changedPools.isEmpty()
        && !members.hasChangedLimiters()
        && members.firstDeadlineMs() > nowMs) {
      return;
    }
    for (int i = 0; i < changed.size(); i++) {
      int node = changed.getInt(i);
      if (nodes.isChanged(node, false)) {
        ruled.lookUp(nodes.queue(node));
      }
    }
    for (int i = 0; i < changed.size(); i++) {
      int node = changed.getInt(i);
      if (nodes.isChanged(node, false)) {
        look(node, ruled.opensMs(nodes.queue(node)), nowMs);
      }
    }
    changed.clear();
    // After all members are in their places.
    members.followLimiters(nowMs, poolChanged);
    for (int level = LEVELS; level >= 0 && !changedPools.isEmpty(); level--) {
      lookAtPools(level, nowMs);
    }
    changedPools.clear();
  }

  private void lookAtPools(int level, long nowMs) {
    for (int i = 0; i < changedPools.size(); i++) {
      int node = changedPools.getInt(i);
      if (nodes.isChanged(node, true) && nodes.level(node) == level) {
        look(node, poolOpensMs(node), nowMs);
      }
    }
  }

  /** When a pool opens; the largest number if it has no work, or as many tasks as it may. */
  private long poolOpensMs(int pool) {
    return members.first(pool) == Slab.NONE || nodes.isFull(pool)
        ? Long.MAX_VALUE
        : nodes.gateMs(pool);
  }

  private void look(int node, long opensMs, long nowMs) {
    nodes.unchanged(node);
    boolean isOpen = opensMs <= nowMs;
    if (nodes.parent(node) != Slab.NONE) {
      lookAtMember(node, isOpen);
      changed(nodes.parent(node));
    } else if (isOpen != nodes.isOpen(node)) {
      nodes.isOpen(node, isOpen);
    }
    opens(node, isOpen ? Long.MAX_VALUE : opensMs);
    best(node);
  }

  private void lookAtMember(int node, boolean isOpen) {
    boolean wasOpen = nodes.isOpen(node);
    if (isOpen && wasOpen) {
      if (nodes.orders(node)) {
        members.reorder(node);
      }
    } else if (isOpen) {
      nodes.begin(node);
      nodes.isOpen(node, true);
      nodes.orders(node);
      members.open(node);
    } else if (wasOpen) {
      members.shut(node);
      nodes.isOpen(node, false);
    }
  }

  private void opens(int node, long opensMs) {
    int position = nodes.slab.getInt(node, PoolNodes.OPENS_POSITION);
    if (opensMs == nodes.slab.getLong(node, PoolNodes.OPENS)) {
      return;
    }
    nodes.slab.putLong(node, PoolNodes.OPENS, opensMs);
    if (opensMs == Long.MAX_VALUE) {
      opening.removeAt(position);
      nodes.slab.putInt(node, PoolNodes.OPENS_POSITION, Slab.NONE);
    } else if (position == Slab.NONE) {
      opening.add(node);
    } else {
      opening.updateAt(position);
    }
  }

  /** Sets the oldest claim to be served in or below a node. */
  private void best(int node) {
    long best = Long.MAX_VALUE;
    if (nodes.isOpen(node)) {
      best = ownBest(node);
      int below = nodes.isPool(node) ? members.firstWaiting(node) : Slab.NONE;
      if (below != Slab.NONE) {
        best = Math.min(best, nodes.slab.getLong(below, PoolNodes.BEST));
      }
    }
    if (best != nodes.slab.getLong(node, PoolNodes.BEST)) {
      if (nodes.parent(node) == Slab.NONE) {
        PoolMembers.setBest(nodes, waiting, node, best);
      } else {
        members.best(node, best);
      }
    }
  }

  /** The sequence of the oldest claim parked on a node by its name. */
  private long ownBest(int node) {
    int queue = nodes.queue(node);
    int first = records.node(queue) == node ? queues.firstWaiter(queue) : Slab.NONE;
    return first == Slab.NONE ? Long.MAX_VALUE : waiters.sequence(waiters.waiterOf(first));
  }

  // Choices; settle first.

  /** Whether a claim gets a task of a node. */
  boolean permits(int node) {
    for (int at = node; at != Slab.NONE; at = nodes.parent(at)) {
      if (!nodes.isOpen(at) || !members.isPermitted(at)) {
        return false;
      }
    }
    return true;
  }

  /** The queue of which a claim gets a task that is permitted and names a node. */
  int choose(int node) {
    int at = node;
    while (nodes.isPool(at)) {
      int member = members.first(at);
      nodes.chosen(at, member);
      at = member;
    }
    return nodes.queue(at);
  }

  /** The oldest parked claim that gets a task, or {@link Slab#NONE}. */
  int firstToServe() {
    if (waiting.size() == 0) {
      return Slab.NONE;
    }
    int node = waiting.root();
    long best = nodes.slab.getLong(node, PoolNodes.BEST);
    while (ownBest(node) != best) {
      node = members.firstWaiting(node);
    }
    return waiters.waiterOf(queues.firstWaiter(nodes.queue(node)));
  }

  // Time.

  @Override
  public long firstDeadlineMs() {
    long opensMs =
        opening.size() == 0 ? Long.MAX_VALUE : nodes.slab.getLong(opening.root(), PoolNodes.OPENS);
    opensMs = Math.min(opensMs, members.firstDeadlineMs());
    return waiting.size() == 0 ? opensMs : Long.MIN_VALUE;
  }

  /** Marks the nodes that open now, up to a number. */
  void open(int most, long nowMs) {
    for (int i = 0; i < most && opening.size() > 0; i++) {
      int node = opening.root();
      if (nodes.slab.getLong(node, PoolNodes.OPENS) > nowMs) {
        return;
      }
      opens(node, Long.MAX_VALUE);
      changed(node);
    }
  }

  // Images.

  /** Makes room for the members of a pool of an image. */
  void restorePool(int pool) {
    members.addPool(pool);
  }

  /** Makes a node of an image a member of a pool. */
  void restoreParent(int node, int parent, int[] limiters) {
    if (parent != Slab.NONE) {
      attach(node, parent, limiters);
      nodes.restoreCount(parent, nodes.inFlight(node));
    }
  }

  /**
   * Puts the nodes of an image where they were.
   *
   * @throws ImageException if a pool is open that has no member to choose
   */
  void restore(long nowMs) {
    members.followLimiters(nowMs, pool -> {});
    for (int level = LEVELS; level >= 0; level--) {
      for (int node = 0; node < nodes.slab.highWater(); node++) {
        if (nodes.isLive(node) && nodes.level(node) == level) {
          restoreNode(node);
        }
      }
    }
  }

  private void restoreNode(int node) {
    if (nodes.isOpen(node) && nodes.isPool(node) && members.first(node) == Slab.NONE) {
      throw new ImageException("a pool is open, and none of its members");
    }
    if (nodes.slab.getLong(node, PoolNodes.OPENS) != Long.MAX_VALUE) {
      opening.add(node);
    }
    if (nodes.isOpen(node) && nodes.parent(node) != Slab.NONE) {
      members.open(node);
    }
    best(node);
  }

  /** A sum of the hashes of all nodes. */
  long content() {
    return nodes.content();
  }

  long recomputedContent() {
    return nodes.recomputedContent();
  }

  /** Bytes of records. */
  public long memoryBytes() {
    return nodes.slab.memoryBytes();
  }

  /** Freezes the nodes for another thread until {@link #thaw}. */
  public FrozenSlab freeze(Freeze freeze, int id) {
    return nodes.slab.freeze(freeze, id);
  }

  public void thaw() {
    nodes.slab.thaw();
  }

  void close() {
    opening.close();
    waiting.close();
    members.close();
    nodes.slab.close();
  }
}
