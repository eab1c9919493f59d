package io.entroq.simulator.client;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * Claims tasks and works on them: briefly, for long while it renews its leases, or beyond their
 * end. Some workers wait for tasks, some do several jobs at a time. A worker that dies is replaced.
 *
 * <p>It makes its own decisions; those in {@code client.worker} decide as real workers do.
 */
final class ManualWorker extends Actor {
  private static final int CLAIM = 1;

  private static final long NS_PER_MS = 1_000_000;
  private static final long REST_NS_MAX = 10_000_000_000L;
  private static final int CANCELLED_PER_MILLE = 60;
  private static final int AIMED_ONE_IN = 16;

  /** The longest wait of a worker for the end of a lease. */
  private static final long AIM_MS_MAX = 5_000;

  /** The longest time until a delivery is reported. */
  private static final long QUIET_NS_MAX = 200_000_000L;

  /** Each kind of fault has its own random numbers, so disabling one does not affect the others. */
  final SeededRandom deaths;

  final SeededRandom stalls;
  private final SeededRandom cancels;
  private final SeededRandom rests;
  private final SeededRandom deliveries;
  private final int jobsMax;
  private final boolean isSlow;
  private final boolean mayWait;
  private final boolean isPatient;
  private int jobs;
  private boolean isResting;

  ManualWorker(
      ClientContext context, SeededRandom random, int index, boolean isIdentified, boolean isV0) {
    super(context, random, index, isIdentified, isV0);
    deaths = random.fork(FaultKind.WORKER_DIES.label());
    stalls = random.fork(FaultKind.WORKER_STALLED.label());
    cancels = random.fork(FaultKind.CLAIM_CANCELLED.label());
    rests = random.fork("rests");
    deliveries = random.fork("deliveries");
    jobsMax = isIdentified ? 1 + random.below(3) : 1;
    isSlow = random.oneIn(6);
    mayWait = isIdentified && random.oneIn(2);
    isPatient = mayWait && random.oneIn(4);
  }

  /** Whether it often commits late. */
  boolean isSlow() {
    return isSlow;
  }

  @Override
  boolean isAtRest() {
    return jobs == 0 && super.isAtRest();
  }

  @Override
  boolean isIdle() {
    return jobs < jobsMax && !isResting;
  }

  @Override
  void act() {
    if (random.oneIn(AIMED_ONE_IN) && aimAtAnEnd()) {
      return;
    }
    ClaimTerms terms = context.terms.clear();
    drawQueues(terms);
    terms.limit = drawLimit();
    terms.leaseMs = drawLeaseMs();
    if (mayWait && random.below(10) < 7) {
      terms.waits = true;
      terms.deadlineMs = isPatient ? 0 : context.logTime.nowMs() + drawWaitMs();
    }
    jobs++;
    Call call = context.draft.claim(caller(), terms, CLAIM);
    if (terms.waits && isToBeCancelled()) {
      context.events.in(cancels.between(1, 5_000) * NS_PER_MS, () -> giveUp(call));
    }
  }

  /** Claims many tasks of a queue when a lease there ends. */
  private boolean aimAtAnEnd() {
    KnownTask held = new KnownTask();
    long nowMs = context.logTime.nowMs();
    long untilMs = context.sightings.findLeased(random, nowMs, held);
    boolean isAimed =
        untilMs != 0 && untilMs - nowMs <= AIM_MS_MAX && aim(untilMs, () -> claimFrom(held.queue));
    jobs += isAimed ? 1 : 0;
    return isAimed;
  }

  private void claimFrom(int queue) {
    if (!caller().mayCall()) {
      jobOver();
      return;
    }
    ClaimTerms terms = context.terms.clear();
    terms.queues.addInt(queue);
    terms.limit = 10 + random.below(30);
    terms.leaseMs = drawLeaseMs();
    context.draft.claim(caller(), terms, CLAIM);
  }

  private void drawQueues(ClaimTerms terms) {
    int which = random.below(100);
    if (which < 5) {
      for (int queue = 0; queue < QueueNames.LASTING; queue++) {
        terms.queues.addInt(queue);
      }
      return;
    }
    int count = which < 40 ? 1 : 2 + random.below(4);
    for (int i = 0; i < count; i++) {
      terms.queues.addInt(QueueNames.anyStage(random));
    }
    if (which > 95) {
      terms.queues.addInt(QueueNames.NARROW);
    }
  }

  private int drawLimit() {
    int which = random.below(100);
    if (which < 80) {
      return 1;
    }
    return which < 97 ? 2 + random.below(6) : 10 + random.below(30);
  }

  private long drawLeaseMs() {
    int which = random.below(100);
    if (which == 0) {
      return 0;
    }
    return which < 40 ? random.between(500, 5_000) : random.between(5_000, 60_000);
  }

  private long drawWaitMs() {
    if (random.oneIn(8)) {
      return random.between(1, random.oneIn(4) ? 5 : 500);
    }
    return random.between(1_000, 60_000);
  }

  private boolean isToBeCancelled() {
    return context.faults.isOn(FaultKind.CLAIM_CANCELLED) && cancels.permille(CANCELLED_PER_MILLE);
  }

  private void giveUp(Call claim) {
    if (!claim.isOver && !claim.isCancelled && claim.caller == caller()) {
      context.faults.count(FaultKind.CLAIM_CANCELLED);
      cancel(claim);
    }
  }

  /** A random duration of work, at least 1 ms. */
  long drawWorkNs(long leaseMs) {
    if (isSlow && random.oneIn(3)) {
      return (leaseMs + random.between(1, 10_000)) * NS_PER_MS;
    }
    if (random.below(10) < 8) {
      return random.between(1, 60) * NS_PER_MS;
    }
    return random.between(1, 1 + leaseMs * 2) * NS_PER_MS;
  }

  @Override
  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    if (call.job != null) {
      call.job.onAnswer(call, result, claimed);
    } else if (call.purpose == CLAIM) {
      onClaim(call, claimed);
    }
  }

  private void onClaim(Call call, KnownTask[] claimed) {
    if (!call.waits) {
      context.target.claimed(claimed.length == 0);
    }
    if (claimed.length == 0 || call.isCancelled) {
      jobOver();
    } else {
      if (caller().isIdentified() && deliveries.oneIn(3)) {
        context.events.in(deliveries.between(1, QUIET_NS_MAX), () -> reportDelivery(call));
      }
      new Job(context, this).start(claimed, call);
    }
  }

  /** Reports the delivery of a claim's answer, as a server would. */
  private void reportDelivery(Call claim) {
    if (!caller().isDead() && claim.caller == caller()) {
      context.draft.delivered(claim);
    }
  }

  @Override
  void onUnknown(Call call) {
    if (call.job != null) {
      call.job.onUnknown(call);
    } else if (call.purpose == CLAIM) {
      jobOver();
    }
  }

  void jobOver() {
    jobs--;
    if (caller().isIdentified() && random.oneIn(100)) {
      context.draft.acknowledge(caller());
    }
  }

  /** Dies with all its tasks, and starts again as a new process. */
  void die() {
    caller().die();
    jobs = 0;
    isResting = true;
    renew();
    refresh();
    context.events.in(rests.between(1, REST_NS_MAX), this::wake);
  }

  private void wake() {
    isResting = false;
    refresh();
  }

  @Override
  void onForgotten() {
    jobs = 0;
    super.onForgotten();
  }
}
