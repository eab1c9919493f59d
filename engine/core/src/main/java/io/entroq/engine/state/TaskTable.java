package io.entroq.engine.state;

import io.entroq.codec.message.Orders;
import io.entroq.engine.memory.DeterministicRandom;
import io.entroq.engine.memory.Digest;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.policy.PolicyStore;
import io.entroq.engine.policy.RuledQueues;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.ClaimsCounts;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.QueuesToServe;
import io.entroq.engine.queue.ReadyIndex;
import io.entroq.engine.queue.WatchIndex;
import io.entroq.engine.task.Claimants;
import io.entroq.engine.task.Holds;
import io.entroq.engine.task.TaskStore;
import org.agrona.DirectBuffer;

/**
 * Keeps tasks, the indexes and counters of their queues, and the digest consistent. To change a
 * task: {@link #detach} it, set its fields, {@link #attach} it.
 *
 * <p>Also decides when a lease has ended. A lease is the arrival time of a claimed task, so nothing
 * runs at its end: from then on {@link #isAvailable} is true, and the next claim, or the tick for a
 * parked one, takes the task.
 */
final class TaskTable {

  /**
   * Due tasks that become ready per claim. Bounds the cost of a claim after a million tasks have
   * become due at once; the rest follow with the next claims.
   */
  private static final int PROMOTED_MAX = 256;

  /** Up to this size tasks stay in the CPU caches, and reading ahead would only cost time. */
  private static final int CACHED_TASKS_MAX = 20_000;

  private final TaskStore tasks;
  private final QueueStore queues;
  private final ReadyIndex ready;
  private final ArrivalIndex arrivals;
  private final ClaimsCounts claimsCounts;
  private final WatchIndex watch;
  private final PolicyStore policies;
  private final RuledQueues ruled;
  private final Claimants claimants;
  private final DeterministicRandom random;
  private final Digest digest;
  private final QueuesToServe toServe;
  private Failures failures;

  /** Keeps the compiler from removing the early reads; its value is meaningless. */
  @SuppressWarnings("UnusedVariable")
  private long readAhead;

  TaskTable(Stores stores, QueuesToServe toServe) {
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.ready = stores.ready;
    this.arrivals = stores.arrivals;
    this.claimsCounts = stores.claimsCounts;
    this.watch = stores.watch;
    this.policies = stores.policies;
    this.ruled = stores.ruled;
    this.claimants = stores.claimants;
    this.random = stores.random;
    this.digest = stores.digest;
    this.toServe = toServe;
  }

  /** Sets who decides what becomes of tasks; once. */
  void decider(Failures decider) {
    failures = decider;
  }

  /** Takes a task out of its queue's indexes; its fields may be changed now. */
  void detach(int task) {
    int queue = tasks.queue(task);
    touch(queue);
    digest.remove(hash(task));
    // Right after the hash, which looks at the same bytes.
    queues.addBytes(queue, -tasks.contentLength(task));
    claimsCounts.remove(queue, tasks.claims(task));
    if (tasks.isWaiting(task)) {
      arrivals.remove(queue, task);
      watch.update(queue);
    } else {
      ready.remove(queue, task);
      if (queues.rules(queue) != Slab.NONE) {
        watch.update(queue);
      }
    }
  }

  /** Before any change to a queue with a policy: looks the policy up if policies were written. */
  private void touch(int queue) {
    if (!queues.isPlain(queue)) {
      queues.ruled().touch(queue);
    }
  }

  /** Puts a task into the indexes of the queue that its fields name. */
  void attach(int task, long nowMs) {
    int queue = tasks.queue(task);
    Invariant.check(queues.isAlive(queue), "a task goes into a queue that is there", task, queue);
    touch(queue);
    digest.add(hash(task));
    queues.addBytes(queue, tasks.contentLength(task));
    claimsCounts.add(queue, tasks.claims(task));
    if (arrivals.dueMs(task) > nowMs) {
      arrivals.add(queue, task);
      watch.update(queue);
    } else {
      Invariant.check(
          !Holds.isInFlight(tasks.hold(task)), "a task in flight is not ready", task, queue);
      ready.add(queue, task);
      if (queues.firstWaiter(queue) != Slab.NONE) {
        toServe.add(queue);
      }
    }
  }

  /**
   * Removes a task, and its queue with the last one.
   *
   * @param effectKind one of {@link io.entroq.codec.effect.EffectKinds} that deletes
   */
  void delete(int task, int effectKind, long nowMs) {
    int queue = tasks.queue(task);
    detach(task);
    failures.deleted(task, queue, effectKind, nowMs);
    releaseClaimant(task);
    tasks.remove(task);
    queues.removeIfUnused(queue);
  }

  /** Sets the claimant of a detached task; the text is empty if the key determines it. */
  void claimant(int task, long high, long low, DirectBuffer text, int offset, int length) {
    if (length > 0) {
      claimants.acquire(high, low, text, offset, length);
    }
    releaseClaimant(task);
    tasks.claimant(task, high, low, length > 0);
  }

  /** Sets a claimant whose text, if any, is known already. */
  void claimant(int task, long high, long low, boolean hasText) {
    if (hasText) {
      claimants.acquire(high, low);
    }
    releaseClaimant(task);
    tasks.claimant(task, high, low, hasText);
  }

  private void releaseClaimant(int task) {
    if (tasks.hasClaimantText(task)) {
      claimants.release(tasks.claimantHigh(task), tasks.claimantLow(task));
    }
  }

  /** True if a claim that names a queue gets a task, also by policies and pools. */
  boolean isAvailable(int queue, long nowMs) {
    return queues.isPlain(queue)
        ? queues.readyCount(queue) > 0 || arrivals.firstDueMs(queue) <= nowMs
        : queues.ruled().isAvailable(queue, nowMs);
  }

  /**
   * Chooses a task for a claim that names a queue, of it or of one below it, where one is
   * available. A coin decides between the oldest and a random one: every task is possible, and none
   * waits forever. A policy may want the oldest.
   */
  int choose(int named, long nowMs) {
    int queue = queues.isPlain(named) ? named : queues.ruled().choose(named);
    touch(queue);
    promote(queue, nowMs);
    boolean isRuled = queues.rules(queue) != Slab.NONE;
    int task = isRuled ? chooseByRules(queue, nowMs) : chooseReady(queue);
    // The promise of a lease: nobody else gets the task before the lease ends.
    Invariant.check(
        tasks.queue(task) == queue && arrivals.dueMs(task) <= nowMs,
        "a task that is claimed is available",
        task,
        queue);
    if (isRuled) {
      queues.ruled().started(queue, nowMs);
      ruled.fronts().drop(queue, task);
    }
    if (tasks.size() > CACHED_TASKS_MAX) {
      readAhead(queue, task);
    }
    return task;
  }

  private int chooseByRules(int queue, long nowMs) {
    int policy = ruled.policy(queue);
    int order = policy == Slab.NONE ? Orders.COIN : policies.order(policy);
    int front = order == Orders.STRICT ? front(queue, nowMs) : Slab.NONE;
    if (front != Slab.NONE) {
      return front;
    }
    return order == Orders.COIN ? chooseReady(queue) : ready.oldest(queue);
  }

  private int chooseReady(int queue) {
    int count = queues.readyCount(queue);
    return count == 1 ? ready.oldest(queue) : choose(queue, count, random.next());
  }

  private int choose(int queue, int count, long draw) {
    return DeterministicRandom.isHeads(draw)
        ? ready.oldest(queue)
        : ready.at(queue, random.below(draw, count));
  }

  /**
   * In a large state a task, its value and its neighbors are separate cache misses. Reading them
   * together overlaps the misses. The next draw is known, so usually the task of this queue's next
   * claim is too.
   */
  private void readAhead(int queue, int task) {
    long seen = tasks.readAhead(task);
    int count = queues.readyCount(queue);
    long draw = random.peek();
    int candidate =
        DeterministicRandom.isHeads(draw) ? count : DeterministicRandom.candidate(draw, count);
    seen +=
        tasks.readRecord(candidate < count ? ready.at(queue, candidate) : nextOldest(queue, task));
    readAhead += seen;
  }

  private int nextOldest(int queue, int taken) {
    int oldest = ready.oldest(queue);
    int next = oldest == taken ? tasks.next(taken) : oldest;
    return next == Slab.NONE ? taken : next;
  }

  private void promote(int queue, long nowMs) {
    if (arrivals.firstDueMs(queue) <= nowMs) {
      promote(queue, PROMOTED_MAX, false, nowMs);
    }
  }

  /**
   * Makes due tasks ready, up to a number.
   *
   * @param mayDie whether those that have lapsed too often die; the queue may then be unused
   * @return how many were due
   */
  int promote(int queue, int most, boolean mayDie, long nowMs) {
    touch(queue);
    int count = 0;
    for (; count < most && arrivals.firstDueMs(queue) <= nowMs; count++) {
      int task = arrivals.first(queue);
      if (tasks.hold(task) == Holds.NONE) {
        arrivals.remove(queue, task);
        ready.add(queue, task);
      } else {
        detach(task);
        failures.promote(task, mayDie, nowMs);
      }
    }
    if (count > 0) {
      watch.update(queue);
    }
    return count;
  }

  /** The task before which no other starts, made ready, or {@link Slab#NONE}. */
  private int front(int queue, long nowMs) {
    int front = ruled.fronts().of(queue);
    if (front != Slab.NONE && tasks.isWaiting(front)) {
      detach(front);
      failures.promote(front, false, nowMs);
    }
    return front;
  }

  /** The ready task that became ready first. */
  int oldestReady(int queue) {
    return ready.oldest(queue);
  }

  /** A hash of a task, its value and its queue. */
  long hash(int task) {
    long hash = Mix.fold(tasks.fieldsHash(task), tasks.contentHash(task));
    return Mix.fold(hash, queues.nameHash(tasks.queue(task)));
  }
}
