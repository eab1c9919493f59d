package io.entroq.engine.policy;

import io.entroq.codec.message.Orders;
import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.WatchIndex;

/**
 * Where queues with rules wait for time to pass, or for others.
 *
 * <p>A queue with parked claims is in one place at most: on the serve list; watched, until the time
 * at which it alone permits a start; with the limiter that blocks it; or nowhere, if its own number
 * of tasks in flight, or the lack of tasks, blocks it. Besides, it may wait for the end of its
 * first lease; and an empty queue, for the time from which its rate and breaker do not matter.
 */
public final class WaitingPlaces implements DeadlineSource {

  private final PolicyStore policies;
  private final QueueStore queues;
  private final ArrivalIndex arrivals;
  private final WatchIndex watch;
  private final RuleRecords records;
  private final StartGates gates;
  private final Limiters limiters;
  private final LeaseEnds leaseEnds = new LeaseEnds();
  private final Idle idle = new Idle();

  WaitingPlaces(
      PolicyStore policies,
      QueueStore queues,
      ArrivalIndex arrivals,
      WatchIndex watch,
      RuleRecords records,
      StartGates gates,
      Limiters limiters) {
    this.policies = policies;
    this.queues = queues;
    this.arrivals = arrivals;
    this.watch = watch;
    this.records = records;
    this.gates = gates;
    this.limiters = limiters;
  }

  /**
   * The records of queues whose leases must end on time, because what is in flight counts. Work is
   * usually done before its lease ends, so a queue whose first lease ends later than before keeps
   * its place; it gets its new one when it is the first of all.
   */
  private final class LeaseEnds extends SlotHeap implements DeadlineSource {
    @Override
    protected boolean before(int a, int b) {
      long endA = endMs(a);
      long endB = endMs(b);
      return endA < endB || (endA == endB && queues.isNameBefore(queue(a), queue(b)));
    }

    @Override
    protected void moved(int rules, int position) {
      records.slab.putInt(rules, RuleRecords.LEASE_POSITION, position);
    }

    private long endMs(int rules) {
      return records.slab.getLong(rules, RuleRecords.LEASE_MS);
    }

    private int queue(int rules) {
      return records.slab.getInt(rules, RuleRecords.QUEUE);
    }

    private void add(int rules, long firstMs) {
      records.slab.putLong(rules, RuleRecords.LEASE_MS, firstMs);
      add(rules);
    }

    private void update(int rules, int position, long firstMs) {
      if (firstMs < endMs(rules)) {
        records.slab.putLong(rules, RuleRecords.LEASE_MS, firstMs);
        updateAt(position);
      }
    }

    /** Gives the first queue its place until it is one whose first lease ends when it says. */
    private void correct() {
      while (size() > 0) {
        int first = root();
        long firstMs = arrivals.firstDueMs(queue(first));
        if (firstMs == endMs(first)) {
          return;
        }
        records.slab.putLong(first, RuleRecords.LEASE_MS, firstMs);
        updateAt(0);
      }
    }

    @Override
    public long firstDeadlineMs() {
      return size() == 0 ? Long.MAX_VALUE : endMs(root());
    }
  }

  /** The empty queues that stay until their rate or breaker does not matter any more. */
  private final class Idle extends SlotHeap implements DeadlineSource {
    @Override
    protected boolean before(int a, int b) {
      long endA = records.slab.getLong(queues.rules(a), RuleRecords.IDLE_MS);
      long endB = records.slab.getLong(queues.rules(b), RuleRecords.IDLE_MS);
      return endA < endB || (endA == endB && queues.isNameBefore(a, b));
    }

    @Override
    protected void moved(int queue, int position) {
      records.slab.putInt(queues.rules(queue), RuleRecords.IDLE_POSITION, position);
    }

    @Override
    public long firstDeadlineMs() {
      return size() == 0
          ? Long.MAX_VALUE
          : records.slab.getLong(queues.rules(root()), RuleRecords.IDLE_MS);
    }
  }

  /** Makes {@link #firstDeadlineMs} exact, until a queue changes. */
  void correctDeadline() {
    leaseEnds.correct();
  }

  /**
   * A time that is not after the earliest at which a queue has to be looked at; {@link
   * Long#MAX_VALUE} if none.
   */
  @Override
  public long firstDeadlineMs() {
    return Math.min(
        limiters.firstDeadlineMs(), Math.min(leaseEnds.firstDeadlineMs(), idle.firstDeadlineMs()));
  }

  /**
   * Takes a queue out of all places, before what applies to it changes.
   *
   * @param rules its record, or {@link Slab#NONE}
   */
  void leave(int queue, int rules) {
    watch.remove(queue);
    if (rules != Slab.NONE) {
      records.slab.putInt(rules, RuleRecords.WATCHED, 0);
      stopIdling(queue, rules);
      unblock(rules);
      leaveLeaseEnds(rules);
    }
  }

  /** Puts a queue outside of pools where it waits, by what it has now. */
  void update(int queue, int rules, long nowMs) {
    boolean waits =
        queues.firstWaiter(queue) != Slab.NONE
            && queues.taskCount(queue) > 0
            && !queues.isToServe(queue);
    long opensMs = waits ? gates.startMs(queue, rules) : Long.MAX_VALUE;
    int blocker = opensMs <= nowMs ? gates.blocker(rules, nowMs) : Slab.NONE;
    place(queue, rules, opensMs, blocker);
  }

  private void place(int queue, int rules, long opensMs, int blocker) {
    boolean isWatched = opensMs != Long.MAX_VALUE && blocker == Slab.NONE;
    watch.remove(queue);
    records.slab.putInt(rules, RuleRecords.WATCHED, isWatched ? 1 : 0);
    if (isWatched) {
      records.slab.putLong(rules, RuleRecords.WATCH_MS, opensMs);
      watch.add(queue);
    }
    int former = records.slab.getInt(rules, RuleRecords.BLOCKER);
    if (former != Slab.NONE && former == blocker) {
      limiters.updateBlocked(blocker, records.slab.getInt(rules, RuleRecords.BLOCKED_POSITION));
    } else {
      unblock(rules);
      if (blocker != Slab.NONE) {
        records.slab.putInt(rules, RuleRecords.BLOCKER, blocker);
        limiters.block(blocker, queue);
      }
    }
  }

  private void unblock(int rules) {
    int blocker = records.slab.getInt(rules, RuleRecords.BLOCKER);
    if (blocker != Slab.NONE) {
      records.slab.putInt(rules, RuleRecords.BLOCKER, Slab.NONE);
      limiters.unblock(blocker, records.slab.getInt(rules, RuleRecords.BLOCKED_POSITION));
      records.slab.putInt(rules, RuleRecords.BLOCKED_POSITION, Slab.NONE);
    }
  }

  // Leases that must end on time.

  /** Follows a change of the tasks of a queue, or of what applies to it. */
  void updateLeaseEnds(int queue, int rules) {
    int position = records.slab.getInt(rules, RuleRecords.LEASE_POSITION);
    boolean ends = queues.waitingCount(queue) > 0 && counts(rules);
    if (ends && position == Slab.NONE) {
      leaseEnds.add(rules, arrivals.firstDueMs(queue));
    } else if (ends) {
      leaseEnds.update(rules, position, arrivals.firstDueMs(queue));
    } else {
      leaveLeaseEnds(rules);
    }
  }

  private void leaveLeaseEnds(int rules) {
    int position = records.slab.getInt(rules, RuleRecords.LEASE_POSITION);
    if (position != Slab.NONE) {
      leaseEnds.removeAt(position);
      records.slab.putInt(rules, RuleRecords.LEASE_POSITION, Slab.NONE);
    }
  }

  /** Whether it matters at once that a lease has ended. */
  private boolean counts(int rules) {
    if (records.slab.getInt(rules, RuleRecords.MEMBER) != Slab.NONE) {
      return true;
    }
    int policy = records.slab.getInt(rules, RuleRecords.POLICY);
    if (policy == Slab.NONE) {
      return false;
    }
    if (policies.inFlightMax(policy) > 0
        || policies.lapsesMax(policy) > 0
        || policies.order(policy) == Orders.STRICT) {
      return true;
    }
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = records.limiter(rules, i);
      if (limiter != Slab.NONE && policies.inFlightMax(limiter) > 0) {
        return true;
      }
    }
    return false;
  }

  /** The queue whose due tasks must become ready now, or {@link Slab#NONE}. */
  public int firstWithEndedLease(long nowMs) {
    leaseEnds.correct();
    return leaseEnds.firstDeadlineMs() <= nowMs ? leaseEnds.queue(leaseEnds.root()) : Slab.NONE;
  }

  /** The queue that a limiter permits to be looked at now, or {@link Slab#NONE}. */
  public int firstUnblocked(long nowMs) {
    return limiters.firstDeadlineMs() <= nowMs ? limiters.firstQueue() : Slab.NONE;
  }

  // Empty queues that stay for a time.

  /** Until when an empty queue's rate or breaker matters. */
  long matteringUntilMs(int rules) {
    return Math.max(
        Rate.ceilMs(records.slab.getLong(rules, RuleRecords.TAT)),
        records.slab.getLong(rules, RuleRecords.BREAKER_END));
  }

  boolean idles(int rules) {
    return records.slab.getInt(rules, RuleRecords.IDLE_POSITION) != Slab.NONE;
  }

  /** Has an empty queue removed once its rate and breaker do not matter any more. */
  void idle(int queue, int rules, long nowMs) {
    long untilMs = matteringUntilMs(rules);
    if (!idles(rules) && untilMs > nowMs) {
      records.slab.putLong(rules, RuleRecords.IDLE_MS, untilMs);
      idle.add(queue);
    }
  }

  /** Keeps a queue that is in use again. */
  void stopIdling(int queue, int rules) {
    int position = records.slab.getInt(rules, RuleRecords.IDLE_POSITION);
    if (position != Slab.NONE) {
      idle.removeAt(position);
      records.slab.putInt(rules, RuleRecords.IDLE_POSITION, Slab.NONE);
    }
  }

  /** Removes empty queues whose rate and breaker do not matter any more, up to a number. */
  public void removeIdle(int most, long nowMs) {
    for (int i = 0; i < most && idle.firstDeadlineMs() <= nowMs; i++) {
      int queue = idle.root();
      stopIdling(queue, queues.rules(queue));
      queues.removeIfUnused(queue);
    }
  }

  /** Puts a queue of an image into the places where it was. */
  void restore(int queue, int blocker, boolean isWatched, boolean endsLeases, boolean idles) {
    int rules = queues.rules(queue);
    if (isWatched) {
      records.slab.putInt(rules, RuleRecords.WATCHED, 1);
      watch.add(queue);
    }
    if (blocker != Slab.NONE) {
      records.slab.putInt(rules, RuleRecords.BLOCKER, blocker);
      limiters.block(blocker, queue);
    }
    if (endsLeases) {
      leaseEnds.add(rules, arrivals.firstDueMs(queue));
    }
    if (idles) {
      idle.add(queue);
    }
  }

  void close() {
    leaseEnds.close();
    idle.close();
  }
}
