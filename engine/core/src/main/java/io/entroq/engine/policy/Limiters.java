package io.entroq.engine.policy;

import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.waiter.WaiterStore;
import java.util.Arrays;

/**
 * What the queues that share a limiter count in it, and those with parked claims that it blocks,
 * for each limiter; and the limiters that block queues, by the time at which they open. So a free
 * place or the passing of time wakes one queue, the one whose claim has waited longest. A limiter
 * that is full or paused until it is resumed is left out: whatever changes that calls {@link
 * #update}.
 */
final class Limiters extends SlotHeap implements DeadlineSource {

  private final PolicyStore policies;
  private final QueueStore queues;
  private final WaiterStore waiters;
  private final RuleRecords records;
  private final Pools pools;
  private Blocked[] blocked = new Blocked[8];

  Limiters(
      PolicyStore policies,
      QueueStore queues,
      WaiterStore waiters,
      RuleRecords records,
      Pools pools) {
    this.policies = policies;
    this.queues = queues;
    this.waiters = waiters;
    this.records = records;
    this.pools = pools;
  }

  /** The queues that one limiter blocks: the one whose oldest parked claim is older goes first. */
  private final class Blocked extends SlotHeap {
    @Override
    protected boolean before(int a, int b) {
      long sequenceA = waiters.sequence(waiters.waiterOf(queues.firstWaiter(a)));
      long sequenceB = waiters.sequence(waiters.waiterOf(queues.firstWaiter(b)));
      return sequenceA < sequenceB || (sequenceA == sequenceB && queues.isNameBefore(a, b));
    }

    @Override
    protected void moved(int queue, int position) {
      records.slab.putInt(queues.rules(queue), RuleRecords.BLOCKED_POSITION, position);
    }
  }

  @Override
  protected boolean before(int a, int b) {
    long opensA = policies.opensMs(a);
    long opensB = policies.opensMs(b);
    return opensA < opensB || (opensA == opensB && policies.isNameBefore(a, b));
  }

  @Override
  protected void moved(int limiter, int position) {
    policies.openPosition(limiter, position);
  }

  /** Counts tasks in flight of a queue in the limiters that it names, or fewer. */
  void count(int rules, int by) {
    if (by == 0) {
      return;
    }
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = records.limiter(rules, i);
      if (limiter != Slab.NONE) {
        policies.addInFlight(limiter, by);
        changed(limiter);
        policies.removeIfUnused(limiter);
      }
    }
    int counted = records.slab.getInt(rules, RuleRecords.COUNTED);
    records.slab.putInt(rules, RuleRecords.COUNTED, counted + by);
  }

  /** Counts a start of a task of a queue in the rates of the limiters that it names. */
  void started(int rules, long timeMs) {
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = records.limiter(rules, i);
      if (limiter != Slab.NONE) {
        policies.started(limiter, timeMs);
        changed(limiter);
      }
    }
  }

  private void changed(int limiter) {
    update(limiter);
    pools.limiterChanged(limiter);
  }

  /** Adds a queue to those that a limiter blocks. */
  void block(int limiter, int queue) {
    if (limiter >= blocked.length) {
      blocked = Arrays.copyOf(blocked, Math.max(limiter + 1, 2 * blocked.length));
    }
    if (blocked[limiter] == null) {
      blocked[limiter] = new Blocked();
    }
    blocked[limiter].add(queue);
    update(limiter);
  }

  /** Follows a change of the oldest parked claim of a blocked queue. */
  void updateBlocked(int limiter, int position) {
    blocked[limiter].updateAt(position);
  }

  /** Removes a queue from those that a limiter blocks. */
  void unblock(int limiter, int position) {
    blocked[limiter].removeAt(position);
    update(limiter);
  }

  /** Follows a change of a limiter: its rules, its pause, its starts or its tasks in flight. */
  void update(int limiter) {
    boolean opens =
        blocks(limiter)
            && !policies.isFull(limiter)
            && policies.pausedUntilMs(limiter) != PolicyStore.UNTIL_RESUMED;
    int position = policies.openPosition(limiter);
    if (opens && position == Slab.NONE) {
      add(limiter);
    } else if (opens) {
      updateAt(position);
    } else if (position != Slab.NONE) {
      removeAt(position);
      policies.openPosition(limiter, Slab.NONE);
    }
  }

  /** Takes a limiter out before its rules or its pause change; {@link #update} follows. */
  void suspend(int limiter) {
    int position = policies.openPosition(limiter);
    if (position != Slab.NONE) {
      removeAt(position);
      policies.openPosition(limiter, Slab.NONE);
    }
    pools.limiterChanged(limiter);
  }

  private boolean blocks(int limiter) {
    return limiter < blocked.length && blocked[limiter] != null && blocked[limiter].size() > 0;
  }

  @Override
  public long firstDeadlineMs() {
    return size() == 0 ? Long.MAX_VALUE : policies.opensMs(root());
  }

  /** The queue that waits longest for the limiter that opened first; there is one. */
  int firstQueue() {
    return blocked[root()].root();
  }

  void closeAll() {
    close();
    for (Blocked heap : blocked) {
      if (heap != null) {
        heap.close();
      }
    }
  }
}
