package io.entroq.simulator.check;

import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.undo.Cells;

/** How claims wait, and how waiting ends. */
final class WaitRules {
  /** How many deadlines a step handles. */
  private static final int ENDED_MAX = 1_000;

  private static final long NO_REQUEST = -1;

  private final Account account;
  private final Cells cells;
  private final ClaimRules claims;
  private final FailureRules failures;

  WaitRules(Account account, ClaimRules claims, FailureRules failures) {
    this.account = account;
    this.cells = account.cells;
    this.claims = claims;
    this.failures = failures;
  }

  /** Whether a claim that finds no task waits. */
  static boolean waits(ClaimDecoder claim, long nowMs) {
    return claim.waits() && (claim.deadlineMs() == 0 || claim.deadlineMs() > nowMs);
  }

  void park(Step step, ClaimDecoder claim, int client, long claimantText) {
    int waiter = account.waiters.add(step.sequence, claim.deadlineMs());
    cells.set(waiter + Waiters.CLIENT, client);
    cells.set(waiter + Waiters.NUMBER, claim.requestNumber());
    cells.set(waiter + Waiters.LEASE_MS, claim.leaseMs());
    cells.set(waiter + Waiters.LIMIT, claim.limit());
    cells.set(waiter + Waiters.CLAIMANT_HIGH, claim.claimantHigh());
    cells.set(waiter + Waiters.CLAIMANT_LOW, claim.claimantLow());
    cells.set(waiter + Waiters.CLAIMANT_TEXT, claimantText);
    account.holders.acquire(claim.claimantHigh(), claim.claimantLow(), claimantText);
    for (int i = 0; i < claim.queueCount(); i++) {
      int queue =
          account.queues.of(
              account.names.number(claim.buffer(), claim.queueOffset(i), claim.queueLength(i)));
      account.queues.arrive(queue, step.nowMs);
      if (!account.waiters.isLastIn(queue, waiter)) {
        account.waiters.join(waiter, queue);
      }
    }
    account.clients.parked(client, 1);
    account.receipts.put(Receipts.WAITER, waiter);
    account.receipts.store(client, claim.requestNumber());
  }

  /** Passes time: parked claims get due tasks, then claims past their deadline end. */
  void advance(Step step) {
    boolean isDue = account.nextDeadlineMs() <= step.nowMs;
    failures.advance(step);
    if (!isDue) {
      return;
    }
    account.queues.serveDue(step.nowMs);
    serve(step, false);
    for (int i = 0; i < ENDED_MAX && account.waiters.firstDeadlineMs() <= step.nowMs; i++) {
      timeOut(step, account.waiters.firstByDeadline());
    }
  }

  private void timeOut(Step step, int waiter) {
    long request = cells.get(waiter + Waiters.SEQUENCE);
    int answer = account.answers.take(request);
    if (answer < 0) {
      throw Invariant.WAITS_END.broken(
          Step.name(request),
          "an end at " + cells.get(waiter + Waiters.DEADLINE_MS),
          "none at " + step.nowMs);
    }
    end(step, waiter, answer, ResultCodes.TIMED_OUT);
  }

  /** Ends a claim with an answer that contains only a code. */
  private void end(Step step, int waiter, int answer, int code) {
    long request = cells.get(waiter + Waiters.SEQUENCE);
    CallerRules.expectPlain(account, step, request, answer, code);
    int client = cells.ref(waiter + Waiters.CLIENT);
    long number = cells.get(waiter + Waiters.NUMBER);
    begin(client, number, request);
    account.receipts.put(Receipts.CODE, code);
    account.receipts.store(client, number);
    unpark(waiter, client);
  }

  /** Ends a claim whose caller no longer waits. */
  void cancel(Step step, int waiter) {
    long request = cells.get(waiter + Waiters.SEQUENCE);
    int answer = account.answers.take(request);
    if (answer < 0) {
      throw Invariant.ONE_ANSWER.broken(
          Step.name(request), "an answer that it is cancelled", "no answer");
    }
    end(step, waiter, answer, ResultCodes.CANCELLED);
  }

  private void begin(int client, long number, long request) {
    int receipt = account.clients.receipt(client, number);
    account.receipts.begin(cells.get(receipt + Receipts.BODY), request);
  }

  private void unpark(int waiter, int client) {
    account.holders.release(
        cells.get(waiter + Waiters.CLAIMANT_HIGH),
        cells.get(waiter + Waiters.CLAIMANT_LOW),
        cells.get(waiter + Waiters.CLAIMANT_TEXT));
    account.waiters.remove(waiter);
    account.clients.parked(client, -1);
  }

  /** Serves queues in order, the oldest waiter first, up to the limits of a step. */
  void serve(Step step) {
    serve(step, true);
  }

  private void serve(Step step, boolean isLast) {
    if (account.policies.epoch() > 0) {
      // The step's own claim may have parked, and then be served as well.
      follow(step, isLast ? NO_REQUEST : step.sequence);
      if (isLast && step.mayAssign()) {
        requireServed(step);
      }
      account.queues.removeUnusedMembers(step.nowMs);
      account.pools.enter(step.nowMs);
      return;
    }
    int queue = account.queues.firstToServe();
    while (queue != Cells.NONE) {
      int waiter = account.waiters.oldestIn(queue);
      if (waiter == Cells.NONE || !account.queues.hasWork(queue, step.nowMs)) {
        account.queues.served();
      } else if (step.mayAssign()) {
        assign(step, waiter, queue);
      } else {
        return;
      }
      queue = account.queues.firstToServe();
    }
  }

  /**
   * Follows the answers: with policies, the order of queues is nothing to rely on.
   *
   * @param except a request whose answer does not count
   */
  private void follow(Step step, long except) {
    while (account.queues.firstToServe() != Cells.NONE) {
      account.queues.served();
    }
    long request = account.answers.nextServed(except);
    while (request >= 0 && step.mayAssign()) {
      int queue = queueToServe(request, step.nowMs);
      if (queue == Cells.NONE) {
        return;
      }
      requireOldest(step, request, queue);
      assign(step, account.waiters.oldestIn(queue), queue);
      request = account.answers.nextServed(except);
    }
  }

  /**
   * A queue in which a claim is the oldest, and that may start a task; one that is below no pool,
   * if there is any.
   */
  private int queueToServe(long request, long nowMs) {
    int found = Cells.NONE;
    int queue = account.queues.firstWaited();
    while (queue != Cells.NONE) {
      int waiter = account.waiters.oldestIn(queue);
      if (cells.get(waiter + Waiters.SEQUENCE) == request
          && account.queues.mayStart(queue, nowMs)) {
        found = queue;
        if (!account.pools.isMember(queue)) {
          return queue;
        }
      }
      queue = cells.ref(queue + Queues.NEXT_WAITED);
    }
    return found;
  }

  /** Of the claims that wait for members of pools or for pools, the oldest is served first. */
  private void requireOldest(Step step, long request, int queue) {
    if (!account.pools.isMember(queue)) {
      return;
    }
    for (int other = account.queues.firstWaited();
        other != Cells.NONE;
        other = cells.ref(other + Queues.NEXT_WAITED)) {
      long older = cells.get(account.waiters.oldestIn(other) + Waiters.SEQUENCE);
      boolean isFirst = older < request || !account.pools.isMember(other);
      if (isFirst && account.queues.mustStart(other, step.nowMs)) {
        throw Invariant.WAITERS_IN_TURN.broken(
            Step.name(older),
            "a task of " + account.queueName(other) + " at " + step.nowMs,
            "an answer to " + Step.name(request));
      }
    }
  }

  /** No claim waits at the end of a step for what it could have. */
  private void requireServed(Step step) {
    int queue = account.queues.firstWaited();
    while (queue != Cells.NONE) {
      int waiter = account.waiters.oldestIn(queue);
      if (account.queues.mustStart(queue, step.nowMs)) {
        throw notServed(step, cells.get(waiter + Waiters.SEQUENCE), queue);
      }
      queue = cells.ref(queue + Queues.NEXT_WAITED);
    }
    long request = account.answers.nextServed(NO_REQUEST);
    if (request >= 0) {
      throw wronglyServed(step, request);
    }
  }

  /** An answer with tasks to a claim that is not the first in any queue that may start one. */
  private Violation wronglyServed(Step step, long request) {
    Invariant reason = Invariant.ONE_ANSWER;
    for (int queue = account.queues.firstWaited();
        queue != Cells.NONE;
        queue = cells.ref(queue + Queues.NEXT_WAITED)) {
      if (account.waiters.isIn(queue, request)) {
        Invariant obstacle = account.queues.obstacleOfAny(queue, step.nowMs);
        reason = obstacle != null ? obstacle : Invariant.WAITERS_IN_TURN;
      }
    }
    return reason.broken(Step.name(request), "no task at " + step.nowMs, "an answer with tasks");
  }

  private void assign(Step step, int waiter, int queue) {
    long request = cells.get(waiter + Waiters.SEQUENCE);
    boolean isInOrder = account.answers.isInOrder(request);
    int answer = account.answers.take(request);
    if (answer < 0 || !isInOrder) {
      throw notServed(step, request, queue);
    }
    CallerRules.expectHead(account, step, request, answer, ResultCodes.OK);
    int client = cells.ref(waiter + Waiters.CLIENT);
    long number = cells.get(waiter + Waiters.NUMBER);
    begin(client, number, request);
    account.receipts.put(Receipts.CODE, ResultCodes.OK);
    addQueuesOf(waiter);
    claims.setClaimant(
        cells.get(waiter + Waiters.CLAIMANT_HIGH),
        cells.get(waiter + Waiters.CLAIMANT_LOW),
        cells.get(waiter + Waiters.CLAIMANT_TEXT),
        cells.get(waiter + Waiters.LEASE_MS));
    int limit = Math.min(cells.ref(waiter + Waiters.LIMIT), step.assignable());
    int taken = claims.take(step, answer, limit, step.assignableBytes());
    step.assigned(taken, claims.takenBytes());
    account.receipts.store(client, number);
    unpark(waiter, client);
  }

  private void addQueuesOf(int waiter) {
    claims.clearQueues();
    int membership = cells.ref(waiter + Waiters.FIRST_MEMBERSHIP);
    while (membership != Cells.NONE) {
      claims.addQueue(cells.ref(membership + Waiters.QUEUE));
      membership = cells.ref(membership + Waiters.NEXT_QUEUE);
    }
  }

  private Violation notServed(Step step, long request, int queue) {
    boolean isOtherServed =
        !account.answers.isEmpty() && account.answers.firstRemaining() != step.sequence;
    return (isOtherServed ? Invariant.WAITERS_IN_TURN : notServed(step, queue))
        .broken(
            Step.name(request),
            "a task of " + account.queueName(queue) + " at " + step.nowMs,
            isOtherServed
                ? "an answer to " + Step.name(account.answers.firstRemaining())
                : "no answer");
  }

  private Invariant notServed(Step step, int queue) {
    if (step.resumes) {
      return Invariant.RESUME_SERVES;
    }
    return account.queues.isLimited(queue) ? Invariant.GATE_OPENS : Invariant.CLAIMERS_SERVED;
  }
}
