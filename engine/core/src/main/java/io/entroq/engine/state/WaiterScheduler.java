package io.entroq.engine.state;

import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.memory.Digest;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.policy.PolicyStep;
import io.entroq.engine.policy.PolicyStore;
import io.entroq.engine.policy.PoolWalk;
import io.entroq.engine.policy.RuledQueues;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.QueuesByName;
import io.entroq.engine.queue.QueuesToServe;
import io.entroq.engine.queue.WatchIndex;
import io.entroq.engine.receipt.ClientStore;
import io.entroq.engine.receipt.Receipt;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.Claimants;
import io.entroq.engine.task.ExpiryIndex;
import io.entroq.engine.task.RememberedIds;
import io.entroq.engine.waiter.WaiterStore;
import org.agrona.DirectBuffer;

/**
 * Parks claims that found no task, assigns tasks to them as tasks become available, and ends them
 * at their deadlines. The work of one step is bounded; the rest is due at once and continues with
 * the next tick.
 */
final class WaiterScheduler {

  private static final int ASSIGNED_PER_STEP_MAX = 1000;
  private static final int ASSIGNED_BYTES_PER_STEP_MAX = 8 << 20;
  private static final int ENDED_PER_STEP_MAX = 1000;
  private static final int PROMOTED_PER_STEP_MAX = 1000;
  private static final int OPENED_PER_STEP_MAX = 1000;

  private final WaiterStore waiters;
  private final QueueStore queues;
  private final WatchIndex watch;

  /** Each keeps its own times in order, and there are few. */
  private final ExpiryIndex expiries;

  private final RememberedIds rememberedIds;
  private final PolicyStore policies;

  private final ClientStore clients;
  private final Claimants claimants;
  private final Digest digest;
  private final TaskTable table;
  private final Failures failures;
  private final QueuesToServe toServe;
  private final Claimer claimer;
  private final Receipts receipts;
  private final ReplyWriter answers;
  private final RuledQueues ruled;
  private final PolicyStep policyStep;

  /** Queues to be served because no policy applies to them any more, in an order of their names. */
  private final QueuesByName freed;

  private final PoolWalk walk;
  private final PoolWalk.Look follow = this::followPolicies;
  private final Bytes text = new Bytes();
  private int assignableTasks;
  private long assignableBytes;

  WaiterScheduler(
      Stores stores,
      TaskTable table,
      Failures failures,
      QueuesToServe toServe,
      Claimer claimer,
      Receipts receipts,
      ReplyWriter answers) {
    this.waiters = stores.waiters;
    this.queues = stores.queues;
    this.watch = stores.watch;
    this.ruled = stores.ruled;
    this.freed = new QueuesByName(queues);
    this.walk = stores.poolWalk;
    this.policyStep =
        new PolicyStep(stores.policies, stores.ruled, stores.queues, walk, stores.effects);
    this.expiries = stores.expiries;
    this.rememberedIds = stores.rememberedIds;
    this.policies = stores.policies;
    this.clients = stores.clients;
    this.claimants = stores.claimants;
    this.digest = stores.digest;
    this.table = table;
    this.failures = failures;
    this.toServe = toServe;
    this.claimer = claimer;
    this.receipts = receipts;
    this.answers = answers;
  }

  /** Begins a step at a behavior level. */
  void step(int level, long nowMs) {
    claimer.step(level);
    ruled.step(nowMs);
    assignableTasks = ASSIGNED_PER_STEP_MAX;
    assignableBytes =
        level < Levels.TEST ? ASSIGNED_BYTES_PER_STEP_MAX : ASSIGNED_BYTES_PER_STEP_MAX / 2;
  }

  /** The earliest log time at which a tick has work; {@link Long#MAX_VALUE} if none. */
  long nextDeadlineMs() {
    ruled.correctDeadline();
    return deadlineBoundMs();
  }

  /** A time that is not after {@link #nextDeadlineMs}, and takes less to find. */
  long deadlineBoundMs() {
    if (!toServe.isEmpty()) {
      return Long.MIN_VALUE;
    }
    // One call each: a loop over sources of many classes would cost more than all they do.
    long firstMs = Math.min(watch.firstDeadlineMs(), waiters.firstDeadlineMs());
    firstMs = Math.min(firstMs, expiries.firstDeadlineMs());
    return policies.epoch() == 0 ? firstMs : Math.min(firstMs, firstOfPoliciesMs());
  }

  private long firstOfPoliciesMs() {
    if (walk.isUnderWay()) {
      return Long.MIN_VALUE;
    }
    long firstMs = Math.min(policies.firstDeadlineMs(), ruled.firstDeadlineMs());
    return Math.min(firstMs, rememberedIds.firstDeadlineMs());
  }

  /**
   * Advances time: ends what has expired, assigns due tasks to parked claims, then ends claims past
   * their deadline.
   */
  void advance(long nowMs) {
    if (deadlineBoundMs() > nowMs || nextDeadlineMs() > nowMs) {
      return;
    }
    failures.advance(nowMs);
    if (policyStep.endPauses(ENDED_PER_STEP_MAX, nowMs)) {
      followPolicies(nowMs);
    } else if (walk.isUnderWay()) {
      walk(nowMs);
    }
    endLeases(nowMs);
    ruled.openPools(OPENED_PER_STEP_MAX);
    serveWatched(nowMs);
    serve(nowMs);
    ruled.places().removeIdle(ENDED_PER_STEP_MAX, nowMs);
    for (int i = 0; i < ENDED_PER_STEP_MAX && waiters.firstDeadlineMs() <= nowMs; i++) {
      end(waiters.firstByDeadline(), ResultCodes.TIMED_OUT);
    }
  }

  /** Makes tasks ready whose leases have ended, where what is in flight counts. */
  private void endLeases(long nowMs) {
    int left = PROMOTED_PER_STEP_MAX;
    int queue = ruled.places().firstWithEndedLease(nowMs);
    while (queue != Slab.NONE && left > 0) {
      left -= Math.max(1, table.promote(queue, left, true, nowMs));
      queues.removeIfUnused(queue);
      queue = ruled.places().firstWithEndedLease(nowMs);
    }
  }

  private void serveWatched(long nowMs) {
    while (watch.firstDeadlineMs() <= nowMs) {
      toServe.add(watch.root());
    }
  }

  PolicyStep policyStep() {
    return policyStep;
  }

  /** Lets parked claims follow policies that were written: looks at each of their queues once. */
  void followPolicies(long nowMs) {
    for (int at = 0; at < waiters.membershipHighWater(); at++) {
      if (waiters.isMembership(at)) {
        followPolicies(waiters.queueOf(at));
      }
    }
    if (walk.isUnderWay()) {
      walk.next(follow);
      ruled.settle();
    }
    // Only now do all tasks in flight count in their new limiters, whatever the order of the slots.
    for (int at = 0; at < waiters.membershipHighWater(); at++) {
      if (waiters.isMembership(at)) {
        watch.update(waiters.queueOf(at));
      }
    }
    serveFreed(nowMs);
    policyStep.clean();
  }

  private void serveFreed(long nowMs) {
    while (freed.size() > 0) {
      toServe.add(freed.take());
    }
    serveWatched(nowMs);
  }

  /** Continues to look up the queues of pools after policies were written. */
  private void walk(long nowMs) {
    walk.next(follow);
    ruled.settle();
    serveFreed(nowMs);
  }

  private void followPolicies(int queue) {
    if (!queues.isPlain(queue)) {
      ruled.touch(queue);
      if (queues.isPlain(queue)
          && queues.readyCount(queue) > 0
          && queues.firstWaiter(queue) != Slab.NONE) {
        freed.add(queue);
      }
    }
  }

  /**
   * Assigns available tasks to parked claims, up to the bounds of this step: to those that wait on
   * pools after the others, the oldest first.
   */
  void serve(long nowMs) {
    serveListed(nowMs);
    if (policies.epoch() != 0) {
      serveByPolicies(nowMs);
    }
  }

  private void serveByPolicies(long nowMs) {
    serveUnpooled(nowMs);
    int waiter = ruled.firstToServe();
    while (waiter != Slab.NONE && mayAssign()) {
      assign(waiter, nowMs);
      serveUnpooled(nowMs);
      waiter = ruled.firstToServe();
    }
    ruled.settle();
    if (!toServe.isEmpty()) {
      serveUnpooled(nowMs);
      ruled.settle();
    }
  }

  private boolean mayAssign() {
    return assignableTasks > 0 && assignableBytes > 0;
  }

  private void serveUnpooled(long nowMs) {
    serveListed(nowMs);
    for (int queue = released(nowMs); queue != Slab.NONE; queue = released(nowMs)) {
      toServe.add(queue);
      serveListed(nowMs);
    }
  }

  /**
   * A queue with parked claims that became free to start a task in this step, because a limiter
   * counts less; or {@link Slab#NONE}. Where the change of a limiter was seen first decides whether
   * it is still with the limiter, or watched already.
   */
  private int released(long nowMs) {
    if (!toServe.isEmpty()) {
      return Slab.NONE;
    }
    int queue = ruled.places().firstUnblocked(nowMs);
    return queue == Slab.NONE && watch.firstDeadlineMs() <= nowMs ? watch.root() : queue;
  }

  private void serveListed(long nowMs) {
    while (!toServe.isEmpty()) {
      int queue = toServe.head();
      int membership = queues.firstWaiter(queue);
      if (membership == Slab.NONE || !table.isAvailable(queue, nowMs)) {
        toServe.removeHead();
      } else if (!mayAssign()) {
        return;
      } else {
        assign(waiters.waiterOf(membership), nowMs);
      }
    }
  }

  private void assign(int waiter, long nowMs) {
    int client = client(waiter);
    long number = waiters.number(waiter);
    Receipt parked = parkedReceipt(client, number, waiter);
    answers.receipt().begin(number, waiters.sequence(waiter), parked.bodyCrc(), true);
    answers.beginWithReceipt(waiters.sequence(waiter), ResultCodes.OK);
    claimer.clearQueues();
    int at = waiters.firstMembership(waiter);
    for (; at != Slab.NONE; at = waiters.nextMembership(at)) {
      claimer.addQueue(waiters.queueOf(at));
    }
    claimantText(waiter);
    claimer.claimant(
        waiters.claimantHigh(waiter),
        waiters.claimantLow(waiter),
        text.buffer(),
        text.offset(),
        text.length(),
        waiters.leaseMs(waiter));
    int taken = take(waiters.limit(waiter), nowMs);
    Invariant.check(taken > 0, "a served claim gets a task", waiters.sequence(waiter), taken);
    answers.end();
    receipts.store(client, number);
    unpark(waiter, client);
  }

  private int take(int limit, long nowMs) {
    int limitNow = Math.min(limit, assignableTasks);
    int taken = claimer.take(limitNow, assignableBytes, nowMs);
    assignableBytes -= claimer.takenBytes();
    assignableTasks -= taken;
    Invariant.check(assignableTasks >= 0, "a step assigns so many", taken, assignableTasks);
    return taken;
  }

  private void claimantText(int waiter) {
    text.clear();
    if (waiters.hasClaimantText(waiter)) {
      claimants.text(waiters.claimantHigh(waiter), waiters.claimantLow(waiter), text);
    }
  }

  private int client(int waiter) {
    int client = clients.find(waiters.clientHigh(waiter), waiters.clientLow(waiter));
    Invariant.check(
        client != Slab.NONE, "a client with a parked claim stays", waiters.sequence(waiter), 0);
    return client;
  }

  /**
   * Parks a claim; then {@link #setTerms}, {@link #waitOn} each queue, {@link #finishParking}.
   *
   * @param deadlineMs 0 if it waits forever
   */
  int park(int client, long number, long deadlineMs) {
    return waiters.add(
        answers.stepSequence(), clients.high(client), clients.low(client), number, deadlineMs);
  }

  /** Sets claimant, lease and limit of a parked claim. */
  void setTerms(int waiter, ClaimDecoder claim) {
    int length = claim.claimantTextLength();
    if (length > 0) {
      claimants.acquire(
          claim.claimantHigh(),
          claim.claimantLow(),
          claim.buffer(),
          claim.claimantTextOffset(),
          length);
    }
    waiters.terms(
        waiter,
        claim.claimantHigh(),
        claim.claimantLow(),
        length > 0,
        claim.leaseMs(),
        claim.limit());
  }

  /** Makes a claim wait on a queue, once even if it names the queue repeatedly. */
  void waitOn(int waiter, DirectBuffer name, int offset, int length) {
    int queue = queues.findOrAdd(name, offset, length);
    int last = queues.lastWaiter(queue);
    if (last == Slab.NONE || waiters.waiterOf(last) != waiter) {
      if (!queues.isPlain(queue)) {
        ruled.touch(queue);
      }
      waiters.join(waiter, queue);
      watch.update(queue);
    }
  }

  /** Completes parking: adds the claim to the digest, pins its client and notifies the caller. */
  void finishParking(int waiter, int client) {
    digest.add(waiters.contentHash(waiter));
    clients.parked(client, 1);
    answers.receipt().parked(waiter);
    receipts.store(client, waiters.number(waiter));
    answers.sink().onParked(waiters.sequence(waiter));
    checkMemberships();
  }

  /** Ends a parked claim without a task and stores the code in its receipt. */
  void end(int waiter, int code) {
    int client = client(waiter);
    long number = waiters.number(waiter);
    long sequence = waiters.sequence(waiter);
    answers
        .receipt()
        .begin(number, sequence, parkedReceipt(client, number, waiter).bodyCrc(), true);
    answers.beginWithReceipt(sequence, code);
    answers.end();
    receipts.store(client, number);
    unpark(waiter, client);
  }

  /** The receipt of a parked claim; exists as long as the waiter. */
  private Receipt parkedReceipt(int client, long number, int waiter) {
    Receipt receipt = receipts.find(client, number);
    Invariant.check(
        receipt != null && receipt.code() == Receipt.CODE_PARKED && receipt.waiter() == waiter,
        "a parked claim has its receipt",
        waiter,
        number);
    return receipt;
  }

  private void checkMemberships() {
    Invariant.check(
        waiters.size() <= waiters.membershipCount()
            && (waiters.size() == 0) == (waiters.membershipCount() == 0),
        "each parked claim waits on a queue",
        waiters.size(),
        waiters.membershipCount());
  }

  private void unpark(int waiter, int client) {
    digest.remove(waiters.contentHash(waiter));
    int at = waiters.firstMembership(waiter);
    while (at != Slab.NONE) {
      int next = waiters.nextMembership(at);
      int queue = waiters.queueOf(at);
      waiters.leave(at);
      watch.update(queue);
      queues.removeIfUnused(queue);
      at = next;
    }
    if (waiters.hasClaimantText(waiter)) {
      claimants.release(waiters.claimantHigh(waiter), waiters.claimantLow(waiter));
    }
    waiters.remove(waiter);
    clients.parked(client, -1);
    checkMemberships();
  }
}
