package io.entroq.engine.policy;

import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;
import java.util.Arrays;

/**
 * The queues with parked claims that a limiter blocks, for each limiter; and the limiters that
 * block queues, by the time at which they open. So a free place or the passing of time wakes one
 * queue, the one whose claim has waited longest. A limiter that is full or paused until it is
 * resumed is left out: whatever changes that calls {@link #update}.
 */
final class Limiters extends SlotHeap implements DeadlineSource {

  private final PolicyStore policies;
  private final RuledQueues queues;
  private Blocked[] blocked = new Blocked[8];

  Limiters(PolicyStore policies, RuledQueues queues) {
    this.policies = policies;
    this.queues = queues;
  }

  /** The queues that one limiter blocks. */
  private final class Blocked extends SlotHeap {
    @Override
    protected boolean before(int a, int b) {
      return queues.isBlockedBefore(a, b);
    }

    @Override
    protected void moved(int queue, int position) {
      queues.blockedPosition(queue, position);
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
