package io.entroq.engine.policy;

import io.entroq.codec.message.Orders;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.QueueRules;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.QueuesToServe;
import io.entroq.engine.queue.WatchIndex;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.waiter.WaiterStore;

/**
 * The queues to which a policy or a pause applies: what they have besides their records, by slot of
 * these additional records.
 *
 * <p>A queue with parked claims is in one place at most: on the serve list; watched, until the time
 * at which it alone permits a start; with the limiter that blocks it; or nowhere, if its own number
 * of tasks in flight, or the lack of tasks, blocks it.
 */
public final class RuledQueues implements QueueRules, DeadlineSource {

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

  static final int RECORD_BYTES = 152;

  private static final int CHUNK_SHIFT = 8;

  final Slab slab = new Slab(RECORD_BYTES, CHUNK_SHIFT, EPOCH);
  private final PolicyStore policies;
  private final QueueStore queues;
  private final ArrivalIndex arrivals;
  private final WatchIndex watch;
  private final WaiterStore waiters;
  private final QueuesToServe toServe;
  private final Resolution resolution;
  private final Limiters limiters;
  private final Pools pools;
  private final PoolNames poolNames;
  private final LeaseEnds leaseEnds = new LeaseEnds();
  private final Idle idle = new Idle();
  private final Bytes name = new Bytes();
  private final Bytes otherName = new Bytes();
  private long content;
  private long nowMs = Long.MIN_VALUE;

  /** The pool above the queue that is looked up, and how many levels of pools begin with it. */
  private int poolAbove;

  private int poolDepth;

  public RuledQueues(
      PolicyStore policies,
      QueueStore queues,
      ArrivalIndex arrivals,
      WatchIndex watch,
      WaiterStore waiters,
      QueuesToServe toServe) {
    this.policies = policies;
    this.queues = queues;
    this.arrivals = arrivals;
    this.watch = watch;
    this.waiters = waiters;
    this.toServe = toServe;
    this.resolution = new Resolution(policies);
    this.limiters = new Limiters(policies, this);
    this.pools = new Pools(policies, this, queues, waiters);
    this.poolNames = new PoolNames(new StoredPools(policies));
  }

  /** The queues whose leases must end on time, because what is in flight counts. */
  private final class LeaseEnds extends SlotHeap implements DeadlineSource {
    @Override
    protected boolean before(int a, int b) {
      long dueA = arrivals.firstDueMs(a);
      long dueB = arrivals.firstDueMs(b);
      return dueA < dueB || (dueA == dueB && isNameBefore(a, b));
    }

    @Override
    protected void moved(int queue, int position) {
      slab.putInt(queues.rules(queue), LEASE_POSITION, position);
    }

    @Override
    public long firstDeadlineMs() {
      return size() == 0 ? Long.MAX_VALUE : arrivals.firstDueMs(root());
    }
  }

  /** The empty queues that stay until their rate or breaker does not matter any more. */
  private final class Idle extends SlotHeap implements DeadlineSource {
    @Override
    protected boolean before(int a, int b) {
      long endA = slab.getLong(queues.rules(a), IDLE_MS);
      long endB = slab.getLong(queues.rules(b), IDLE_MS);
      return endA < endB || (endA == endB && isNameBefore(a, b));
    }

    @Override
    protected void moved(int queue, int position) {
      slab.putInt(queues.rules(queue), IDLE_POSITION, position);
    }

    @Override
    public long firstDeadlineMs() {
      return size() == 0 ? Long.MAX_VALUE : slab.getLong(queues.rules(root()), IDLE_MS);
    }
  }

  /** Begins a step. */
  public void step(long logTimeMs) {
    nowMs = logTimeMs;
  }

  @Override
  public long firstDeadlineMs() {
    long firstMs =
        Math.min(
            limiters.firstDeadlineMs(),
            Math.min(leaseEnds.firstDeadlineMs(), idle.firstDeadlineMs()));
    return pools.size() == 0 ? firstMs : Math.min(firstMs, pools.firstDeadlineMs());
  }

  // What applies to a queue.

  @Override
  public void touch(int queue) {
    long epoch = policies.epoch();
    int rules = queues.rules(queue);
    if (rules != Slab.NONE && slab.getLong(rules, EPOCH) == epoch) {
      stopIdling(queue, rules);
      changed(rules);
      return;
    }
    resolve(queue, epoch);
  }

  private void resolve(int queue, long epoch) {
    // First, because it may look up the queue of the pool above.
    findPools(queue);
    int rules = queues.rules(queue);
    queues.name(queue, name);
    resolution.resolve(name);
    leavePlaces(queue, rules);
    boolean isBelow =
        poolAbove != Slab.NONE || poolDepth > 0 || (rules != Slab.NONE && hasMembers(rules));
    if (resolution.isPlain() && !isBelow) {
      if (rules != Slab.NONE) {
        free(queue, rules);
      }
      queues.markPlain(queue);
    } else {
      int stored = rules == Slab.NONE ? add(queue) : rules;
      store(queue, stored, epoch);
      placeInPools(queue, stored);
    }
    watch.update(queue);
  }

  /** Looks up a queue, if policies were written since it was. */
  void lookUp(int queue) {
    if (slab.getLong(queues.rules(queue), EPOCH) != policies.epoch()) {
      touch(queue);
    }
  }

  // Pools.

  /** Whether the queue has members besides itself, be it a pool or was one. */
  private boolean hasMembers(int rules) {
    int pool = slab.getInt(rules, POOL);
    return pool != Slab.NONE && pools.memberCount(pool) > (ownMember(rules, pool) ? 1 : 0);
  }

  private boolean ownMember(int rules, int pool) {
    int member = slab.getInt(rules, MEMBER);
    return member != Slab.NONE && pools.parent(member) == pool;
  }

  /** Finds the pool above a queue, which may be added, and whether the queue itself is one. */
  private void findPools(int queue) {
    int above = Slab.NONE;
    if (policies.poolCount() > 0) {
      queues.name(queue, name);
      int length = PoolNames.parentLength(name.buffer(), name.offset(), name.length());
      if (length > 0 && poolNames.find(name.buffer(), name.offset(), length).depth() > 0) {
        int parent = queues.findOrAdd(name.buffer(), name.offset(), length);
        touch(parent);
        above = slab.getInt(queues.rules(parent), POOL);
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

  /** Gives a queue its nodes, by what was looked up. */
  private void placeInPools(int queue, int rules) {
    int policy = slab.getInt(rules, POLICY);
    int weight = policy == Slab.NONE ? 1 : policies.rules(policy).weight();
    int rank = policy == Slab.NONE ? 0 : policies.rules(policy).rank();
    int above = poolAbove;
    if (poolDepth > 0) {
      int pool = slab.getInt(rules, POOL);
      if (pool == Slab.NONE) {
        pool = pools.add(queue, true);
        slab.putInt(rules, POOL, pool);
      }
      setPool(queue, pool);
      pools.share(pool, weight, rank);
      pools.move(pool, above, Resolution.NO_LIMITERS);
      above = pool;
    }
    int member = slab.getInt(rules, MEMBER);
    if (above != Slab.NONE) {
      if (member == Slab.NONE) {
        member = pools.add(queue, false);
        slab.putInt(rules, MEMBER, member);
      }
      pools.share(member, weight, rank);
      pools.move(member, above, resolution.limiters());
    } else if (member != Slab.NONE) {
      pools.remove(member);
      slab.putInt(rules, MEMBER, Slab.NONE);
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
    int pool = slab.getInt(rules, POOL);
    if (pool != Slab.NONE && pools.memberCount(pool) == 0) {
      pools.remove(pool);
      slab.putInt(rules, POOL, Slab.NONE);
    }
  }

  private boolean isPooled(int rules) {
    return slab.getInt(rules, MEMBER) != Slab.NONE || slab.getInt(rules, POOL) != Slab.NONE;
  }

  private void changed(int rules) {
    int member = slab.getInt(rules, MEMBER);
    if (member != Slab.NONE) {
      pools.changed(member);
    }
    int pool = slab.getInt(rules, POOL);
    if (pool != Slab.NONE) {
      pools.changed(pool);
    }
  }

  /** Whether policies make a queue a pool or a member of one, or did when it was looked up. */
  public boolean belongsToPools(int queue) {
    if (queues.isPooled(queue)) {
      return true;
    }
    queues.name(queue, name);
    int length = PoolNames.parentLength(name.buffer(), name.offset(), name.length());
    return poolNames.find(name.buffer(), name.offset(), name.length()).depth() > 0
        || (length > 0 && poolNames.find(name.buffer(), name.offset(), length).depth() > 0);
  }

  /** The node that a claim means by the name of a queue below a pool, or of one. */
  int node(int queue) {
    int rules = queues.rules(queue);
    int pool = slab.getInt(rules, POOL);
    return pool != Slab.NONE ? pool : slab.getInt(rules, MEMBER);
  }

  /** When a member opens by itself; the largest number if time alone does not open it. */
  long opensMs(int queue) {
    int rules = queues.rules(queue);
    int policy = slab.getInt(rules, POLICY);
    if (queues.taskCount(queue) == 0
        || isFull(queue, policy)
        || workMs(queue, rules, policy) > nowMs) {
      // Tasks of members become ready on time.
      return Long.MAX_VALUE;
    }
    return ownOpensMs(rules, policy, slab.getLong(rules, PAUSED_UNTIL));
  }

  @Override
  public boolean isAvailable(int queue, long timeMs) {
    if (queues.isPooled(queue)) {
      pools.settle(timeMs);
      return pools.permits(node(queue));
    }
    return (queues.readyCount(queue) > 0 || arrivals.firstDueMs(queue) <= timeMs)
        && permits(queue, timeMs);
  }

  @Override
  public int choose(int queue) {
    return queues.isPooled(queue) ? pools.choose(node(queue)) : queue;
  }

  /** The oldest claim parked on a queue below a pool that gets a task now, or {@link Slab#NONE}. */
  public int firstToServe() {
    if (pools.size() == 0) {
      return Slab.NONE;
    }
    pools.settle(nowMs);
    return pools.firstToServe();
  }

  /** Completes a step: all that has changed is looked at, and queues that nothing keeps go. */
  public void settle() {
    if (pools.size() > 0) {
      pools.settle(nowMs);
      removeLeft();
    }
  }

  private void removeLeft() {
    int queue = pools.takeLeft();
    while (queue != Slab.NONE) {
      forgetPool(queue);
      queues.removeIfUnused(queue);
      pools.settle(nowMs);
      queue = pools.takeLeft();
    }
  }

  /** Once the last member has left what was a pool, its queue is one like others. */
  private void forgetPool(int queue) {
    int rules = queues.rules(queue);
    int pool = rules == Slab.NONE ? Slab.NONE : slab.getInt(rules, POOL);
    if (pool != Slab.NONE && pools.memberCount(pool) == 0) {
      resolve(queue, policies.epoch());
      if (queues.firstWaiter(queue) != Slab.NONE) {
        toServe.add(queue);
      }
    }
  }

  /** Opens nodes of pools that are due, up to a number. */
  public void openPools(int most) {
    if (pools.size() > 0) {
      pools.open(most, nowMs);
    }
  }

  /** The pools, for images. */
  public Pools pools() {
    return pools;
  }

  private void leavePlaces(int queue, int rules) {
    watch.remove(queue);
    if (rules != Slab.NONE) {
      slab.putInt(rules, WATCHED, 0);
      stopIdling(queue, rules);
      unblock(queue, rules);
      leaveLeaseEnds(queue, rules);
    }
  }

  private int add(int queue) {
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
    slab.putLong(rules, EPOCH, policies.epoch());
    queues.rules(queue, rules);
    content += Mix.mix(hash(queue, rules));
    return rules;
  }

  /** Stores what was looked up; the tasks in flight now count in the limiters that it names now. */
  private void store(int queue, int rules, long epoch) {
    content -= Mix.mix(hash(queue, rules));
    int policy = resolution.policy();
    countInLimiters(rules, -slab.getInt(rules, COUNTED));
    slab.putLong(rules, EPOCH, epoch);
    slab.putInt(rules, POLICY, policy);
    slab.putLong(rules, POLICY_HASH, policy == Slab.NONE ? 0 : policies.nameHash(policy));
    slab.putLong(rules, PAUSED_UNTIL, resolution.pausedUntilMs());
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      slab.putInt(rules, LIMITERS + i * Integer.BYTES, resolution.limiter(i));
    }
    slab.putInt(rules, COUNTED, 0);
    countInLimiters(rules, queues.inFlight(queue));
    content += Mix.mix(hash(queue, rules));
  }

  private void countInLimiters(int rules, int by) {
    if (by == 0) {
      return;
    }
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = limiter(rules, i);
      if (limiter != Slab.NONE) {
        policies.addInFlight(limiter, by);
        limiters.update(limiter);
        pools.limiterChanged(limiter);
        policies.removeIfUnused(limiter);
      }
    }
    slab.putInt(rules, COUNTED, slab.getInt(rules, COUNTED) + by);
  }

  private void free(int queue, int rules) {
    leavePools(queue, rules);
    countInLimiters(rules, -slab.getInt(rules, COUNTED));
    content -= Mix.mix(hash(queue, rules));
    queues.rules(queue, Slab.NONE);
    slab.free(rules);
  }

  private void leavePools(int queue, int rules) {
    int member = slab.getInt(rules, MEMBER);
    if (member != Slab.NONE) {
      pools.remove(member);
      slab.putInt(rules, MEMBER, Slab.NONE);
    }
    removePoolIfLeft(rules);
    queues.isPooled(queue, false);
  }

  @Override
  public boolean keeps(int queue) {
    int rules = queues.rules(queue);
    if (rules == Slab.NONE) {
      return false;
    }
    queues.name(queue, name);
    return hasMembers(rules)
        || slab.getInt(rules, IDLE_POSITION) != Slab.NONE
        || policies.find(PolicyKinds.QUEUE, name.buffer(), name.offset(), name.length())
            != Slab.NONE
        || matteringUntilMs(rules) > nowMs;
  }

  /** Until when an empty queue's rate or breaker matters. */
  private long matteringUntilMs(int rules) {
    return Math.max(Rate.ceilMs(slab.getLong(rules, TAT)), slab.getLong(rules, BREAKER_END));
  }

  @Override
  public void idles(int queue) {
    int rules = queues.rules(queue);
    if (rules != Slab.NONE && slab.getInt(rules, IDLE_POSITION) == Slab.NONE) {
      long untilMs = matteringUntilMs(rules);
      if (untilMs > nowMs) {
        slab.putLong(rules, IDLE_MS, untilMs);
        idle.add(queue);
      }
    }
  }

  private void stopIdling(int queue, int rules) {
    int position = slab.getInt(rules, IDLE_POSITION);
    if (position != Slab.NONE) {
      idle.removeAt(position);
      slab.putInt(rules, IDLE_POSITION, Slab.NONE);
    }
  }

  /** Removes empty queues whose rate and breaker do not matter any more, up to a number. */
  public void removeIdle(int most) {
    for (int i = 0; i < most && idle.firstDeadlineMs() <= nowMs; i++) {
      int queue = idle.root();
      stopIdling(queue, queues.rules(queue));
      queues.removeIfUnused(queue);
    }
  }

  @Override
  public void drop(int queue) {
    int rules = queues.rules(queue);
    if (rules != Slab.NONE) {
      leavePlaces(queue, rules);
      free(queue, rules);
    }
  }

  // Starts.

  /** Whether a task of the queue may start, as far as pools above do not matter. */
  private boolean permits(int queue, long timeMs) {
    int rules = queues.rules(queue);
    if (rules != Slab.NONE && slab.getLong(rules, EPOCH) == policies.epoch()) {
      return ownOpensMs(rules, slab.getInt(rules, POLICY), slab.getLong(rules, PAUSED_UNTIL))
              <= timeMs
          && frontMs(rules, slab.getInt(rules, POLICY)) <= timeMs
          && !isFull(queue, slab.getInt(rules, POLICY))
          && blocker(rules, timeMs) == Slab.NONE;
    }
    queues.name(queue, name);
    resolution.resolve(name);
    return resolution.isPlain()
        || (ownOpensMs(rules, resolution.policy(), resolution.pausedUntilMs()) <= timeMs
            && frontMs(rules, resolution.policy()) <= timeMs
            && !isFull(queue, resolution.policy())
            && doNewLimitersPermit(queue, rules, timeMs));
  }

  /** When pause, breaker and rate of the queue itself permit a start; may lie in the past. */
  private long ownOpensMs(int rules, int policy, long pausedUntilMs) {
    long opensMs = pausedUntilMs;
    if (rules == Slab.NONE) {
      return opensMs;
    }
    opensMs = Math.max(opensMs, slab.getLong(rules, BREAKER_END));
    return Math.max(opensMs, rateOpensMs(rules, policy));
  }

  private long rateOpensMs(int rules, int policy) {
    return rules == Slab.NONE || policy == Slab.NONE || policies.intervalMicros(policy) == 0
        ? Long.MIN_VALUE
        : Rate.opensMs(slab.getLong(rules, TAT), policies.toleranceMicros(policy));
  }

  private boolean isFull(int queue, int policy) {
    int max = policy == Slab.NONE ? 0 : policies.inFlightMax(policy);
    return max > 0 && queues.inFlight(queue) >= max;
  }

  /** The first limiter that does not permit a start, or {@link Slab#NONE}. */
  private int blocker(int rules, long timeMs) {
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = limiter(rules, i);
      if (limiter != Slab.NONE
          && (policies.opensMs(limiter) > timeMs || policies.isFull(limiter))) {
        return limiter;
      }
    }
    return Slab.NONE;
  }

  /** As {@link #blocker}, for a queue whose tasks do not count in its new limiters yet. */
  private boolean doNewLimitersPermit(int queue, int rules, long timeMs) {
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = resolution.limiter(i);
      if (limiter != Slab.NONE) {
        int max = policies.inFlightMax(limiter);
        int others = policies.inFlight(limiter) - countedIn(rules, limiter);
        if (policies.opensMs(limiter) > timeMs
            || (max > 0 && others + queues.inFlight(queue) >= max)) {
          return false;
        }
      }
    }
    return true;
  }

  private int countedIn(int rules, int limiter) {
    if (rules != Slab.NONE) {
      for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
        if (limiter(rules, i) == limiter) {
          return slab.getInt(rules, COUNTED);
        }
      }
    }
    return 0;
  }

  private int limiter(int rules, int position) {
    return slab.getInt(rules, LIMITERS + position * Integer.BYTES);
  }

  @Override
  public void started(int queue, long timeMs) {
    int rules = queues.rules(queue);
    if (rules == Slab.NONE) {
      return;
    }
    int member = slab.getInt(rules, MEMBER);
    if (member != Slab.NONE) {
      pools.started(member, timeMs);
    }
    int policy = slab.getInt(rules, POLICY);
    if (policy == Slab.NONE) {
      return;
    }
    long interval = policies.intervalMicros(policy);
    if (interval != 0) {
      content -= Mix.mix(hash(queue, rules));
      slab.putLong(rules, TAT, Rate.afterStart(slab.getLong(rules, TAT), interval, timeMs));
      content += Mix.mix(hash(queue, rules));
    }
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = limiter(rules, i);
      if (limiter != Slab.NONE) {
        policies.started(limiter, timeMs);
        limiters.update(limiter);
        pools.limiterChanged(limiter);
      }
    }
  }

  @Override
  public void countInFlight(int queue, int by) {
    int rules = queues.rules(queue);
    if (rules == Slab.NONE) {
      return;
    }
    countInLimiters(rules, by);
    int member = slab.getInt(rules, MEMBER);
    if (member != Slab.NONE) {
      pools.count(member, by);
      pools.changed(member);
    }
    if (by < 0 && queues.firstWaiter(queue) != Slab.NONE) {
      // Served at the end of the step; put aside again if something else blocks it.
      toServe.add(queue);
    }
  }

  // Where a queue with parked claims waits.

  @Override
  public void update(int queue) {
    int rules = queues.rules(queue);
    if (slab.getLong(rules, EPOCH) != policies.epoch()) {
      touch(queue);
      return;
    }
    updateLeaseEnds(queue, rules);
    if (isPooled(rules)) {
      changed(rules);
      return;
    }
    boolean waits =
        queues.firstWaiter(queue) != Slab.NONE
            && queues.taskCount(queue) > 0
            && !queues.isToServe(queue);
    int policy = slab.getInt(rules, POLICY);
    long opensMs = Long.MAX_VALUE;
    if (waits && !isFull(queue, policy)) {
      opensMs = ownOpensMs(rules, policy, slab.getLong(rules, PAUSED_UNTIL));
      opensMs = Math.max(opensMs, workMs(queue, rules, policy));
    }
    int blocker = opensMs <= nowMs ? blocker(rules, nowMs) : Slab.NONE;
    place(queue, rules, opensMs, blocker);
  }

  /** When there is a task that may start; {@link Long#MIN_VALUE} if there is one now. */
  private long workMs(int queue, int rules, int policy) {
    long frontMs = frontMs(rules, policy);
    if (frontMs != Long.MIN_VALUE) {
      return frontMs;
    }
    return queues.readyCount(queue) > 0 ? Long.MIN_VALUE : arrivals.firstDueMs(queue);
  }

  /** When the task in front may start, before which no other does; the smallest number if none. */
  private long frontMs(int rules, int policy) {
    boolean isStrict = policy != Slab.NONE && policies.order(policy) == Orders.STRICT;
    int front = isStrict && rules != Slab.NONE ? slab.getInt(rules, FRONT) : Slab.NONE;
    return front == Slab.NONE ? Long.MIN_VALUE : arrivals.dueMs(front);
  }

  private void place(int queue, int rules, long opensMs, int blocker) {
    boolean isWatched = opensMs != Long.MAX_VALUE && blocker == Slab.NONE;
    watch.remove(queue);
    slab.putInt(rules, WATCHED, isWatched ? 1 : 0);
    if (isWatched) {
      slab.putLong(rules, WATCH_MS, opensMs);
      watch.add(queue);
    }
    int former = slab.getInt(rules, BLOCKER);
    if (former != Slab.NONE && former == blocker) {
      limiters.updateBlocked(blocker, slab.getInt(rules, BLOCKED_POSITION));
    } else {
      unblock(queue, rules);
      if (blocker != Slab.NONE) {
        slab.putInt(rules, BLOCKER, blocker);
        limiters.block(blocker, queue);
      }
    }
  }

  private void unblock(int queue, int rules) {
    int blocker = slab.getInt(rules, BLOCKER);
    if (blocker != Slab.NONE) {
      slab.putInt(rules, BLOCKER, Slab.NONE);
      limiters.unblock(blocker, slab.getInt(rules, BLOCKED_POSITION));
      slab.putInt(rules, BLOCKED_POSITION, Slab.NONE);
    }
  }

  private void updateLeaseEnds(int queue, int rules) {
    int position = slab.getInt(rules, LEASE_POSITION);
    boolean ends = queues.waitingCount(queue) > 0 && counts(rules);
    if (ends && position == Slab.NONE) {
      leaseEnds.add(queue);
    } else if (ends) {
      leaseEnds.updateAt(position);
    } else {
      leaveLeaseEnds(queue, rules);
    }
  }

  private void leaveLeaseEnds(int queue, int rules) {
    int position = slab.getInt(rules, LEASE_POSITION);
    if (position != Slab.NONE) {
      leaseEnds.removeAt(position);
      slab.putInt(rules, LEASE_POSITION, Slab.NONE);
    }
  }

  /** Whether it matters at once that a lease has ended. */
  private boolean counts(int rules) {
    if (slab.getInt(rules, MEMBER) != Slab.NONE) {
      return true;
    }
    int policy = slab.getInt(rules, POLICY);
    if (policy == Slab.NONE) {
      return false;
    }
    if (policies.inFlightMax(policy) > 0
        || policies.lapsesMax(policy) > 0
        || policies.order(policy) == Orders.STRICT) {
      return true;
    }
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = limiter(rules, i);
      if (limiter != Slab.NONE && policies.inFlightMax(limiter) > 0) {
        return true;
      }
    }
    return false;
  }

  /** The queue whose due tasks must become ready now, or {@link Slab#NONE}. */
  public int firstWithEndedLease() {
    return leaseEnds.firstDeadlineMs() <= nowMs ? leaseEnds.root() : Slab.NONE;
  }

  /** The queue that a limiter permits to be looked at now, or {@link Slab#NONE}. */
  public int firstUnblocked() {
    return limiters.firstDeadlineMs() <= nowMs ? limiters.firstQueue() : Slab.NONE;
  }

  @Override
  public long watchMs(int queue) {
    return slab.getLong(queues.rules(queue), WATCH_MS);
  }

  @Override
  public boolean isBefore(int a, int b) {
    return isNameBefore(a, b);
  }

  /**
   * Orders queues that one limiter blocks: the one whose oldest parked claim is older goes first.
   */
  boolean isBlockedBefore(int a, int b) {
    long sequenceA = waiters.sequence(waiters.waiterOf(queues.firstWaiter(a)));
    long sequenceB = waiters.sequence(waiters.waiterOf(queues.firstWaiter(b)));
    return sequenceA < sequenceB || (sequenceA == sequenceB && isNameBefore(a, b));
  }

  void blockedPosition(int queue, int position) {
    slab.putInt(queues.rules(queue), BLOCKED_POSITION, position);
  }

  /** A total order by name, for heaps whose roots must not depend on slots. */
  boolean isNameBefore(int a, int b) {
    long hashA = queues.nameHash(a);
    long hashB = queues.nameHash(b);
    if (hashA != hashB) {
      return hashA < hashB;
    }
    queues.name(a, name);
    queues.name(b, otherName);
    return PolicyStore.compare(name, otherName) < 0;
  }

  /** Takes a limiter out of the order of limiters, before it is written. */
  void suspend(int limiter) {
    limiters.suspend(limiter);
    pools.limiterChanged(limiter);
  }

  /** Begins a new epoch, after policies were written. */
  void written() {
    queues.epoch(policies.epoch());
  }

  /** Adds the record of an image, before its fields are set. */
  int restore(int queue, long epoch) {
    int rules = slab.allocate();
    slab.putInt(rules, QUEUE, queue);
    slab.putLong(rules, EPOCH, epoch);
    slab.putInt(rules, FRONT, Slab.NONE);
    slab.putInt(rules, BLOCKER, Slab.NONE);
    slab.putInt(rules, BLOCKED_POSITION, Slab.NONE);
    slab.putInt(rules, LEASE_POSITION, Slab.NONE);
    slab.putInt(rules, IDLE_POSITION, Slab.NONE);
    slab.putInt(rules, MEMBER, Slab.NONE);
    slab.putInt(rules, POOL, Slab.NONE);
    queues.rules(queue, rules);
    return rules;
  }

  /** Gives a queue its node of an image; false if it has one. */
  boolean restoreNode(int queue, int node) {
    int field = pools.nodes().isPool(node) ? POOL : MEMBER;
    int rules = queues.rules(queue);
    if (slab.getInt(rules, field) != Slab.NONE) {
      return false;
    }
    slab.putInt(rules, field, node);
    queues.isPooled(queue, true);
    pools.nodes().queue(node, queue);
    if (field == POOL) {
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
        shared[i] = limiter(rules, i);
      }
    }
    pools.restoreParent(node, parent, shared);
  }

  /** Counts a record of an image, after its fields are set. */
  void restored(int queue) {
    content += Mix.mix(hash(queue, queues.rules(queue)));
  }

  /** Puts a queue of an image into the places where it was. */
  void restorePlaces(int queue, int blocker, boolean isWatched, boolean endsLeases, boolean idles) {
    int rules = queues.rules(queue);
    if (isWatched) {
      slab.putInt(rules, WATCHED, 1);
      watch.add(queue);
    }
    if (blocker != Slab.NONE) {
      slab.putInt(rules, BLOCKER, blocker);
      limiters.block(blocker, queue);
    }
    if (endsLeases) {
      leaseEnds.add(queue);
    }
    if (idles) {
      idle.add(queue);
    }
  }

  // What a queue has.

  /** The entry whose rules apply, by the last lookup, or {@link Slab#NONE}. */
  public int policy(int queue) {
    int rules = queues.rules(queue);
    return rules == Slab.NONE ? Slab.NONE : slab.getInt(rules, POLICY);
  }

  /**
   * Until when a queue is paused, or its breaker pauses it; 0: not. Looks it up; changes nothing.
   */
  public long pausedUntilMs(int queue, long timeMs) {
    int rules = queues.rules(queue);
    queues.name(queue, name);
    long untilMs = resolution.resolve(name).pausedUntilMs();
    if (rules != Slab.NONE) {
      untilMs = Math.max(untilMs, slab.getLong(rules, BREAKER_END));
    }
    return untilMs > timeMs ? untilMs : 0;
  }

  /** When rate and limiters permit the next start; 0: now. Changes nothing. */
  public long nextStartMs(int queue, long timeMs) {
    int rules = queues.rules(queue);
    queues.name(queue, name);
    resolution.resolve(name);
    long opensMs = rateOpensMs(rules, resolution.policy());
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      if (resolution.limiter(i) != Slab.NONE) {
        opensMs = Math.max(opensMs, policies.opensMs(resolution.limiter(i)));
      }
    }
    return opensMs > timeMs ? opensMs : 0;
  }

  /** The {@link Orders order} in which the tasks of a queue start. Looks it up; changes nothing. */
  public int order(int queue) {
    if (queues.isPlain(queue)) {
      return Orders.COIN;
    }
    queues.name(queue, name);
    int policy = resolution.resolve(name).policy();
    return policy == Slab.NONE ? Orders.COIN : policies.order(policy);
  }

  /**
   * When a task starts at the rate of its queue, if there are always workers and room for tasks in
   * flight; 0 if that is not known: there is no rate, or the queue is paused until it is resumed.
   * Looks the rate up; changes nothing.
   *
   * @param ahead how many tasks start before it
   * @param fromMs when the first of them may start, as far as that depends on the tasks
   */
  public long expectedStartMs(int queue, long ahead, long fromMs) {
    int rules = queues.rules(queue);
    queues.name(queue, name);
    int policy = resolution.resolve(name).policy();
    if (policy == Slab.NONE || policies.intervalMicros(policy) == 0) {
      return 0;
    }
    long openMs = Math.max(fromMs, ownOpensMs(rules, policy, resolution.pausedUntilMs()));
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      if (resolution.limiter(i) != Slab.NONE) {
        openMs = Math.max(openMs, policies.opensMs(resolution.limiter(i)));
      }
    }
    long startMs =
        Rate.expectedMs(
            rules == Slab.NONE ? 0 : slab.getLong(rules, TAT),
            policies.toleranceMicros(policy),
            policies.intervalMicros(policy),
            ahead,
            openMs);
    return startMs == Long.MAX_VALUE ? 0 : startMs;
  }

  /** How many tasks may start now, if so many are available. Changes nothing. */
  public long startsNow(int queue, long available, long timeMs) {
    if (available == 0 || !permits(queue, timeMs)) {
      return 0;
    }
    int rules = queues.rules(queue);
    queues.name(queue, name);
    resolution.resolve(name);
    long starts = available;
    int policy = resolution.policy();
    if (policy != Slab.NONE && policies.inFlightMax(policy) > 0) {
      starts = Math.min(starts, (long) policies.inFlightMax(policy) - queues.inFlight(queue));
    }
    if (policy != Slab.NONE && policies.intervalMicros(policy) != 0) {
      long tat = rules == Slab.NONE ? 0 : slab.getLong(rules, TAT);
      starts = Math.min(starts, starts(policy, tat, timeMs));
    }
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = resolution.limiter(i);
      if (limiter != Slab.NONE) {
        starts = Math.min(starts, limiterStarts(queue, rules, limiter, timeMs));
      }
    }
    return Math.max(0, starts);
  }

  private long limiterStarts(int queue, int rules, int limiter, long timeMs) {
    long starts = Long.MAX_VALUE;
    if (policies.intervalMicros(limiter) != 0) {
      starts = starts(limiter, policies.tatMicros(limiter), timeMs);
    }
    if (policies.inFlightMax(limiter) > 0) {
      long others = policies.inFlight(limiter) - countedIn(rules, limiter);
      starts = Math.min(starts, policies.inFlightMax(limiter) - others - queues.inFlight(queue));
    }
    return starts;
  }

  private long starts(int policy, long tat, long timeMs) {
    return Rate.starts(
        tat, policies.toleranceMicros(policy), policies.intervalMicros(policy), timeMs);
  }

  /** How many leases of tasks of a queue have lapsed since it has a policy. */
  public long lapsed(int queue) {
    int rules = queues.rules(queue);
    return rules == Slab.NONE ? 0 : slab.getLong(rules, LAPSED);
  }

  /** How many tasks of a queue have died since it has a policy. */
  public long dead(int queue) {
    int rules = queues.rules(queue);
    return rules == Slab.NONE ? 0 : slab.getLong(rules, DEAD);
  }

  /** The queue that has the name of an entry, or {@link Slab#NONE}. */
  int queueOf(int entry) {
    policies.name(entry, name);
    return queues.find(name.buffer(), name.offset(), name.length());
  }

  // What work on the tasks of a queue does to it.

  /**
   * Counts a failure; the last of a number of them in a row pauses the queue.
   *
   * @param most how many in a row are too many
   * @param pausedUntilMs until when the queue then pauses
   */
  public void failed(int queue, int most, long pausedUntilMs) {
    int rules = queues.rules(queue);
    content -= Mix.mix(hash(queue, rules));
    int inARow = slab.getInt(rules, FAILURES) + 1;
    boolean breaks = inARow >= most;
    slab.putInt(rules, FAILURES, breaks ? 0 : inARow);
    if (breaks) {
      slab.putLong(rules, BREAKER_END, pausedUntilMs);
    }
    content += Mix.mix(hash(queue, rules));
    watch.update(queue);
  }

  /** Ends a row of failures. */
  public void succeeded(int queue) {
    int rules = queues.rules(queue);
    if (rules != Slab.NONE && slab.getInt(rules, FAILURES) > 0) {
      content -= Mix.mix(hash(queue, rules));
      slab.putInt(rules, FAILURES, 0);
      content += Mix.mix(hash(queue, rules));
    }
  }

  /** Counts a lease that ended without a word. */
  public void countLapse(int queue) {
    count(queue, LAPSED);
  }

  /** Counts a task that the server moved away or deleted. */
  public void countDead(int queue) {
    count(queue, DEAD);
  }

  private void count(int queue, int field) {
    int rules = queues.rules(queue);
    if (rules != Slab.NONE) {
      content -= Mix.mix(hash(queue, rules));
      slab.putLong(rules, field, slab.getLong(rules, field) + 1);
      content += Mix.mix(hash(queue, rules));
    }
  }

  /** In strict order, the task before which no other starts, or {@link Slab#NONE}. */
  public int front(int queue) {
    int rules = queues.rules(queue);
    return rules == Slab.NONE ? Slab.NONE : slab.getInt(rules, FRONT);
  }

  /** Sets the task before which no other starts. Its id stands for it in the digest. */
  public void front(int queue, int task, long idHigh, long idLow) {
    setFront(queue, task, Mix.key(idHigh, idLow));
  }

  /** Forgets that a task is in front, if it is. */
  public void dropFront(int queue, int task) {
    if (front(queue) == task) {
      setFront(queue, Slab.NONE, 0);
      if (queues.firstWaiter(queue) != Slab.NONE) {
        // Others may start now: as after the end of a flight.
        toServe.add(queue);
      }
    }
  }

  private void setFront(int queue, int task, long hash) {
    int rules = queues.rules(queue);
    if (slab.getInt(rules, FRONT) != task) {
      content -= Mix.mix(hash(queue, rules));
      slab.putInt(rules, FRONT, task);
      slab.putLong(rules, FRONT_HASH, hash);
      content += Mix.mix(hash(queue, rules));
      watch.update(queue);
    }
  }

  /** A sum of the hashes of all queues with rules. */
  public long content() {
    return content + pools.content();
  }

  /** The same sum from scratch. */
  public long recomputedContent() {
    long sum = 0;
    for (int rules = 0; rules < slab.highWater(); rules++) {
      if (slab.getLong(rules, EPOCH) != 0) {
        sum += Mix.mix(hash(slab.getInt(rules, QUEUE), rules));
      }
    }
    return sum + pools.recomputedContent();
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

  /** Number of queues with rules. */
  public int size() {
    return slab.size();
  }

  /** Bytes of records. */
  public long memoryBytes() {
    return slab.memoryBytes() + pools.memoryBytes();
  }

  /** Freezes the records for another thread until {@link #thaw}. */
  public FrozenSlab freeze(Freeze freeze, int id) {
    return slab.freeze(freeze, id);
  }

  public void thaw() {
    slab.thaw();
    pools.thaw();
  }

  /** Frees all memory; must not be used afterwards. */
  public void close() {
    limiters.closeAll();
    pools.close();
    leaseEnds.close();
    idle.close();
    slab.close();
  }
}
