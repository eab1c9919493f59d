package io.entroq.engine.policy;

import io.entroq.codec.message.PolicyKinds;
import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.QueueRules;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.QueuesToServe;
import io.entroq.engine.queue.WatchIndex;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.waiter.WaiterStore;

/**
 * The queues to which a policy or a pause applies: looks up what applies to each, stores it, and
 * has it obeyed. What is stored are {@link RuleRecords}; {@link StartGates} say what permits a
 * start, and {@link WaitingPlaces} where a queue waits until then.
 */
public final class RuledQueues implements QueueRules, DeadlineSource {

  private final PolicyStore policies;
  private final QueueStore queues;
  private final ArrivalIndex arrivals;
  private final WatchIndex watch;
  private final QueuesToServe toServe;
  private final RuleRecords records;
  private final Resolution resolution;
  private final Pools pools;
  private final PoolPlacement placement;
  private final Limiters limiters;
  private final StartGates gates;
  private final WaitingPlaces places;
  private final StartForecast forecast;
  private final Outcomes outcomes;
  private final StrictFronts fronts;
  private final Bytes name = new Bytes();
  private long nowMs = Long.MIN_VALUE;

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
    this.toServe = toServe;
    records = new RuleRecords(queues);
    resolution = new Resolution(policies);
    pools = new Pools(policies, this, records, queues, waiters);
    placement = new PoolPlacement(policies, queues, this, records, pools);
    limiters = new Limiters(policies, queues, waiters, records, pools);
    gates = new StartGates(policies, queues, arrivals, records);
    places = new WaitingPlaces(policies, queues, arrivals, watch, records, gates, limiters);
    forecast = new StartForecast(policies, queues, records, gates);
    outcomes = new Outcomes(queues, watch, records);
    fronts = new StrictFronts(queues, watch, toServe, records);
  }

  /** Begins a step. */
  public void step(long logTimeMs) {
    nowMs = logTimeMs;
  }

  /** Makes {@link #firstDeadlineMs} exact, until a queue changes. */
  public void correctDeadline() {
    places.correctDeadline();
  }

  /** A time that is not after the earliest at which a queue or a pool has to be looked at. */
  @Override
  public long firstDeadlineMs() {
    long firstMs = places.firstDeadlineMs();
    return pools.size() == 0 ? firstMs : Math.min(firstMs, pools.firstDeadlineMs());
  }

  // What applies to a queue.

  @Override
  public void touch(int queue) {
    long epoch = policies.epoch();
    int rules = queues.rules(queue);
    if (rules != Slab.NONE && records.slab.getLong(rules, RuleRecords.EPOCH) == epoch) {
      places.stopIdling(queue, rules);
      placement.changed(rules);
      return;
    }
    resolve(queue, epoch);
  }

  private void resolve(int queue, long epoch) {
    // First, because it may look up the queue of the pool above.
    placement.find(queue);
    int rules = queues.rules(queue);
    resolution.resolve(queues, queue);
    places.leave(queue, rules);
    if (resolution.isPlain() && !placement.concerns(rules)) {
      if (rules != Slab.NONE) {
        free(queue, rules);
      }
      queues.markPlain(queue);
    } else {
      int stored = rules == Slab.NONE ? records.add(queue, epoch) : rules;
      store(queue, stored, epoch);
      placement.place(queue, stored, resolution.limiters());
    }
    watch.update(queue);
  }

  /** Stores what was looked up; the tasks in flight now count in the limiters that it names now. */
  private void store(int queue, int rules, long epoch) {
    records.beforeChange(queue, rules);
    int policy = resolution.policy();
    limiters.count(rules, -records.slab.getInt(rules, RuleRecords.COUNTED));
    records.slab.putLong(rules, RuleRecords.EPOCH, epoch);
    records.slab.putInt(rules, RuleRecords.POLICY, policy);
    records.slab.putLong(
        rules, RuleRecords.POLICY_HASH, policy == Slab.NONE ? 0 : policies.nameHash(policy));
    records.slab.putLong(rules, RuleRecords.PAUSED_UNTIL, resolution.pausedUntilMs());
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      records.slab.putInt(rules, RuleRecords.LIMITERS + i * Integer.BYTES, resolution.limiter(i));
    }
    records.slab.putInt(rules, RuleRecords.COUNTED, 0);
    limiters.count(rules, queues.inFlight(queue));
    records.afterChange(queue, rules);
  }

  private void free(int queue, int rules) {
    placement.leave(queue, rules);
    limiters.count(rules, -records.slab.getInt(rules, RuleRecords.COUNTED));
    records.remove(queue, rules);
  }

  /** Looks up a queue, if policies were written since it was. */
  void lookUp(int queue) {
    if (records.slab.getLong(queues.rules(queue), RuleRecords.EPOCH) != policies.epoch()) {
      touch(queue);
    }
  }

  /** The entry whose rules apply, by the last lookup, or {@link Slab#NONE}. */
  public int policy(int queue) {
    int rules = queues.rules(queue);
    return rules == Slab.NONE ? Slab.NONE : records.slab.getInt(rules, RuleRecords.POLICY);
  }

  /** The entry whose rules apply now, which are looked up if necessary, or {@link Slab#NONE}. */
  public int policyNow(int queue) {
    if (queues.isPlain(queue)) {
      return Slab.NONE;
    }
    touch(queue);
    return policy(queue);
  }

  @Override
  public boolean keeps(int queue) {
    int rules = queues.rules(queue);
    if (rules == Slab.NONE) {
      return false;
    }
    queues.name(queue, name);
    return placement.hasMembers(rules)
        || places.idles(rules)
        || policies.find(PolicyKinds.QUEUE, name.buffer(), name.offset(), name.length())
            != Slab.NONE
        || places.matteringUntilMs(rules) > nowMs;
  }

  @Override
  public void idles(int queue) {
    int rules = queues.rules(queue);
    if (rules != Slab.NONE) {
      places.idle(queue, rules, nowMs);
    }
  }

  @Override
  public void drop(int queue) {
    int rules = queues.rules(queue);
    if (rules != Slab.NONE) {
      places.leave(queue, rules);
      free(queue, rules);
    }
  }

  // Starts.

  @Override
  public boolean isAvailable(int queue, long timeMs) {
    if (queues.isPooled(queue)) {
      pools.settle(timeMs);
      return pools.permits(records.node(queue));
    }
    return (queues.readyCount(queue) > 0 || arrivals.firstDueMs(queue) <= timeMs)
        && gates.permits(queue, timeMs);
  }

  @Override
  public int choose(int queue) {
    return queues.isPooled(queue) ? pools.choose(records.node(queue)) : queue;
  }

  /** When a member of a pool opens by itself; the largest number if time alone does not do it. */
  long opensMs(int queue) {
    return gates.memberOpensMs(queue, nowMs);
  }

  @Override
  public void started(int queue, long timeMs) {
    int rules = queues.rules(queue);
    if (rules == Slab.NONE) {
      return;
    }
    int member = records.slab.getInt(rules, RuleRecords.MEMBER);
    if (member != Slab.NONE) {
      pools.started(member, timeMs);
    }
    int policy = records.slab.getInt(rules, RuleRecords.POLICY);
    if (policy == Slab.NONE) {
      return;
    }
    long interval = policies.intervalMicros(policy);
    if (interval != 0) {
      records.beforeChange(queue, rules);
      records.slab.putLong(
          rules,
          RuleRecords.TAT,
          Rate.afterStart(records.slab.getLong(rules, RuleRecords.TAT), interval, timeMs));
      records.afterChange(queue, rules);
    }
    limiters.started(rules, timeMs);
  }

  @Override
  public void countInFlight(int queue, int by) {
    int rules = queues.rules(queue);
    if (rules == Slab.NONE) {
      return;
    }
    limiters.count(rules, by);
    int member = records.slab.getInt(rules, RuleRecords.MEMBER);
    if (member != Slab.NONE) {
      pools.count(member, by);
      pools.changed(member);
    }
    if (by < 0 && queues.firstWaiter(queue) != Slab.NONE) {
      // Served at the end of the step; put aside again if something else blocks it.
      toServe.add(queue);
    }
  }

  @Override
  public void update(int queue) {
    int rules = queues.rules(queue);
    if (records.slab.getLong(rules, RuleRecords.EPOCH) != policies.epoch()) {
      touch(queue);
      return;
    }
    places.updateLeaseEnds(queue, rules);
    if (placement.isPooled(rules)) {
      placement.changed(rules);
    } else {
      places.update(queue, rules, nowMs);
    }
  }

  @Override
  public long watchMs(int queue) {
    return records.slab.getLong(queues.rules(queue), RuleRecords.WATCH_MS);
  }

  // Pools.

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
    if (rules != Slab.NONE && placement.isLeft(rules)) {
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

  // The parts.

  /** The pools, for images. */
  public Pools pools() {
    return pools;
  }

  /** Where queues wait. */
  public WaitingPlaces places() {
    return places;
  }

  /** When tasks will start. */
  public StartForecast forecast() {
    return forecast;
  }

  /** What outcomes of work do to queues. */
  public Outcomes outcomes() {
    return outcomes;
  }

  /** The tasks in front of queues in strict order. */
  public StrictFronts fronts() {
    return fronts;
  }

  RuleRecords records() {
    return records;
  }

  Limiters limiters() {
    return limiters;
  }

  PoolPlacement placement() {
    return placement;
  }

  // The records.

  /** A sum of the hashes of all queues with rules. */
  public long content() {
    return records.content() + pools.content();
  }

  /** The same sum from scratch. */
  public long recomputedContent() {
    return records.recomputedContent() + pools.recomputedContent();
  }

  /** Number of queues with rules. */
  public int size() {
    return records.slab.size();
  }

  /** Bytes of records. */
  public long memoryBytes() {
    return records.slab.memoryBytes() + pools.memoryBytes();
  }

  /** Freezes the records for another thread until {@link #thaw}. */
  public FrozenSlab freeze(Freeze freeze, int id) {
    return records.slab.freeze(freeze, id);
  }

  public void thaw() {
    records.slab.thaw();
    pools.thaw();
  }

  /** Frees all memory; must not be used afterwards. */
  public void close() {
    limiters.closeAll();
    pools.close();
    places.close();
    records.slab.close();
  }
}
