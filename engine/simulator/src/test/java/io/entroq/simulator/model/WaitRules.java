package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.simulator.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** How claims wait, and how waiting ends (core 4.5). */
final class WaitRules {
  /** How many deadlines a step sees to; the rest is left to a continuation tick. */
  private static final int TIMED_OUT_MAX = 1_000;

  private final State state;
  private final ClaimRules claims;

  WaitRules(State state, ClaimRules claims) {
    this.state = state;
    this.claims = claims;
  }

  /** Whether it is too late to wait. */
  boolean isOver(Claim claim, long nowMs) {
    return claim.getDeadlineMs() != 0 && claim.getDeadlineMs() <= nowMs;
  }

  void park(Step step, Claim claim) {
    step.answers.takeParked(step.sequence);
    Waiter waiter = new Waiter(step.sequence, claim);
    state.waiters.add(waiter);
    state.clients.seen(waiter.client()).claimParked();
  }

  /** Tasks that became due since the last step touch their queues, the earliest due first. */
  void advance(long nowMs) {
    TreeMap<ModelTask, String> due = new TreeMap<>();
    for (String queue : state.waiters.queues()) {
      ModelTask first = state.tasks.firstAfter(queue, state.nowMs);
      if (first != null && first.isAvailable(nowMs)) {
        due.put(first, queue);
      }
    }
    state.serveList.addAll(due.values());
  }

  /**
   * The touched queues in order, in each the oldest waiter first, until the step has given enough.
   */
  void serve(Step step) {
    while (!state.serveList.isEmpty()) {
      String queue = state.serveList.iterator().next();
      if (!isServable(queue, step.nowMs)) {
        state.serveList.remove(queue);
      } else if (step.mayAssign()) {
        assign(step, state.waiters.oldestIn(queue));
      } else {
        return;
      }
    }
  }

  private boolean isServable(String queue, long nowMs) {
    return state.waiters.anyIn(queue) && state.tasks.hasAvailable(queue, nowMs);
  }

  private void assign(Step step, Waiter waiter) {
    Claim claim = waiter.claim();
    List<Task> picks =
        step.answers
            .takeInOrder(waiter.sequence(), "the oldest waiter of a touched queue is served")
            .getClaimedList();
    int most = Math.min(ClaimRules.limit(claim), step.assignmentsLeft());
    List<Grant> grants =
        claims.take(step, claim, claim.getClaimant(), most, step.bytesLeft(), picks);
    step.assigned(grants.size(), ClaimRules.bytes(picks));
    List<Task> claimed = ClaimRules.claimed(grants);
    end(waiter, step.result(ResultCode.RESULT_OK).addAllClaimed(claimed).build(), grants);
  }

  /** Deadlines that have come, after everything that could still be given was given. */
  void timeOut(Step step) {
    List<Waiter> due = state.waiters.dueBy(step.nowMs);
    for (Waiter waiter : due.subList(0, Math.min(TIMED_OUT_MAX, due.size()))) {
      Result expected = step.result(ResultCode.RESULT_TIMED_OUT).build();
      Result actual = step.answers.takeInOrder(waiter.sequence(), "a deadline ends a claim");
      Violation.checkEqual("a deadline ends a claim", "@" + waiter.sequence(), expected, actual);
      end(waiter, expected, List.of());
    }
  }

  void cancel(Step step, Waiter waiter) {
    Result expected = step.result(ResultCode.RESULT_CANCELLED).build();
    Result actual = step.answers.take(waiter.sequence(), "a cancelled claim is answered");
    Violation.checkEqual(
        "a cancelled claim is answered", "@" + waiter.sequence(), expected, actual);
    end(waiter, expected, List.of());
  }

  private void end(Waiter waiter, Result result, List<Grant> grants) {
    state.waiters.remove(waiter);
    Client client = state.clients.find(waiter.client());
    client.claimEnded();
    if (!client.hasParkedClaims()) {
      state.clients.seen(client.key());
    }
    client.keep(waiter.number(), client.receipt(waiter.number()).answered(result, grants));
  }

  /** Whether a queue is left that has both a waiter and an available task. */
  boolean hasUnfinishedWork() {
    return state.serveList.stream().anyMatch(queue -> isServable(queue, state.nowMs));
  }

  /** Queues in which work lies although somebody waits, and that nobody is going to serve. */
  List<String> forgottenQueues() {
    List<String> forgotten = new ArrayList<>();
    for (String queue : state.waiters.queues()) {
      if (isServable(queue, state.nowMs) && !state.serveList.contains(queue)) {
        forgotten.add(queue);
      }
    }
    return forgotten;
  }

  /** Core 5.2: the earliest time that matters to a parked claim; Long.MAX_VALUE if none does. */
  long nextDeadlineMs() {
    long earliest = hasUnfinishedWork() ? state.nowMs : Long.MAX_VALUE;
    for (String queue : state.waiters.queues()) {
      ModelTask next = state.tasks.firstAfter(queue, state.nowMs);
      if (next != null) {
        earliest = Math.min(earliest, next.fields().getArrivalMs());
      }
    }
    for (Waiter waiter : state.waiters.all()) {
      if (waiter.hasDeadline()) {
        earliest = Math.min(earliest, waiter.claim().getDeadlineMs());
      }
    }
    return earliest;
  }
}
