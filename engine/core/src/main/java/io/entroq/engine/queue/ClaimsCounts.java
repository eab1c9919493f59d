package io.entroq.engine.queue;

import io.entroq.engine.memory.HashIndex;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;

/**
 * Tasks of each queue by number of claims, to maintain the highest number of claims. Tasks that
 * were never claimed cost nothing here.
 */
public final class ClaimsCounts {

  private static final int QUEUE = 0;
  private static final int CLAIMS = 4;
  private static final int TASKS = 8;
  private static final int RECORD_BYTES = 12;
  private static final int CHUNK_SHIFT = 8;

  private final QueueStore queues;
  private final Slab slab = new Slab(RECORD_BYTES, CHUNK_SHIFT);
  private final HashIndex index = new HashIndex(0);

  public ClaimsCounts(QueueStore queues) {
    this.queues = queues;
  }

  /** Adds a task with this number of claims. */
  public void add(int queue, int claims) {
    if (claims == 0) {
      return;
    }
    if (claims == 1) {
      addOnce(queue, 1);
    } else {
      int slot = findOrCreate(queue, claims);
      slab.putInt(slot, TASKS, slab.getInt(slot, TASKS) + 1);
    }
    if (claims > queues.claimsMax(queue)) {
      queues.claimsMax(queue, claims);
    }
  }

  /** Removes a task with this number of claims. */
  public void remove(int queue, int claims) {
    if (claims == 0) {
      return;
    }
    Invariant.check(claims <= queues.claimsMax(queue), "no task exceeds the most", queue, claims);
    boolean isLast = claims == 1 ? addOnce(queue, -1) == 0 : removeOften(queue, claims) == 0;
    if (isLast && claims == queues.claimsMax(queue)) {
      queues.claimsMax(queue, nextBelow(queue, claims));
    }
  }

  /** Most claimed tasks were claimed once: their count is in the queue's record. */
  private int addOnce(int queue, int by) {
    int tasks = queues.slab.getInt(queue, QueueStore.CLAIMED_ONCE) + by;
    Invariant.check(tasks >= 0, "tasks claimed once", queue, tasks);
    queues.slab.putInt(queue, QueueStore.CLAIMED_ONCE, tasks);
    return tasks;
  }

  private int removeOften(int queue, int claims) {
    int slot = find(queue, claims);
    Invariant.check(slot != Slab.NONE, "claims are counted", queue, claims);
    int left = slab.getInt(slot, TASKS) - 1;
    slab.putInt(slot, TASKS, left);
    if (left == 0) {
      index.remove(Mix.key(queue, claims), slot);
      slab.free(slot);
    }
    return left;
  }

  /**
   * The highest number of claims of the queue's tasks below one. Mostly the next number is it. Else
   * a task that was claimed very often may have been moved here, so this never takes more steps
   * than there are records.
   */
  private int nextBelow(int queue, int claims) {
    int below = claims - 1;
    int steps = 0;
    while (below > 1 && find(queue, below) == Slab.NONE) {
      below--;
      steps++;
      if (steps > slab.highWater()) {
        below = highestBelow(queue, below + 1);
        break;
      }
    }
    return below <= 1 && queues.slab.getInt(queue, QueueStore.CLAIMED_ONCE) == 0 ? 0 : below;
  }

  /** Looks at all records; at least 1. */
  private int highestBelow(int queue, int claims) {
    int highest = 1;
    for (int slot = 0; slot < slab.highWater(); slot++) {
      // A free record counts no tasks.
      if (slab.getInt(slot, TASKS) > 0
          && slab.getInt(slot, QUEUE) == queue
          && slab.getInt(slot, CLAIMS) < claims) {
        highest = Math.max(highest, slab.getInt(slot, CLAIMS));
      }
    }
    return highest;
  }

  private int findOrCreate(int queue, int claims) {
    int slot = find(queue, claims);
    if (slot != Slab.NONE) {
      return slot;
    }
    slot = slab.allocate();
    slab.putInt(slot, QUEUE, queue);
    slab.putInt(slot, CLAIMS, claims);
    index.insert(Mix.key(queue, claims), slot);
    return slot;
  }

  /** Bytes of records and index. */
  public long memoryBytes() {
    return slab.memoryBytes() + index.memoryBytes();
  }

  /** Gives all memory back; the store must not be used any more. */
  public void close() {
    index.close();
    slab.close();
  }

  private int find(int queue, int claims) {
    long hash = Mix.key(queue, claims);
    for (long at = index.first(hash); at != HashIndex.NONE; at = index.next(hash, at)) {
      int slot = index.slot(at);
      if (slab.getInt(slot, QUEUE) == queue && slab.getInt(slot, CLAIMS) == claims) {
        return slot;
      }
    }
    return Slab.NONE;
  }
}
