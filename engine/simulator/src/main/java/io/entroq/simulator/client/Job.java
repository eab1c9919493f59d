package io.entroq.simulator.client;

import io.entroq.codec.result.FailureDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.client.knowledge.TaskIds;
import io.entroq.simulator.client.knowledge.Values;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;

/** The work on the tasks of one claim: holds, renews and commits them. */
final class Job implements EventQueue.Event {
  private static final int RENEW = 11;
  private static final int COMMIT = 12;
  private static final int COMMIT_EACH = 13;

  /** Repeats a commit that has succeeded, as a process that was believed dead might. */
  private static final int COMMIT_AGAIN = 14;

  /** Repeats a commit that has failed; another worker may have committed since. */
  private static final int COMMIT_LATE = 15;

  private static final long NS_PER_MS = 1_000_000;
  private static final long POSTPONED_NS = 200 * NS_PER_MS;
  private static final int DEATH_ONE_IN = 2_000;
  private static final int STALLS_PER_MILLE = 5;

  /** A task that was claimed so often counts as poison. */
  private static final int CLAIMS_MAX = 4;

  private static final int ATTEMPTS_MAX = 3;
  private static final int AIMED_ONE_IN = 8;
  private static final int AIMED_LEASE_MS_MAX = 5_000;

  private final ClientContext context;
  private final ManualWorker worker;
  private final Caller caller;
  private final SeededRandom random;
  private KnownTask[] tasks;
  private long claimedNs;
  private long leaseMs;
  private long untilMs;
  private boolean isTimed;
  private long doneNs;
  private boolean renews;
  private int commitsUnderWay;

  Job(ClientContext context, ManualWorker worker) {
    this.context = context;
    this.worker = worker;
    this.caller = worker.caller();
    this.random = worker.random;
  }

  void start(KnownTask[] claimed, Call claim) {
    tasks = claimed;
    claimedNs = claim.firstSentNs;
    leaseMs = claim.leaseMs;
    untilMs = Long.MAX_VALUE;
    for (KnownTask task : tasks) {
      untilMs = Math.min(untilMs, task.arrivalMs);
    }
    if (isKilled()) {
      worker.die();
      return;
    }
    doneNs = context.events.nowNs() + worker.drawWorkNs(leaseMs);
    renews = leaseMs >= 1_000 && !worker.isSlow();
    if (context.faults.isOn(FaultKind.WORKER_STALLED) && worker.stalls.permille(STALLS_PER_MILLE)) {
      context.faults.count(FaultKind.WORKER_STALLED);
      long stallMs = leaseMs * 11 / 10 + worker.stalls.between(1, 5_000);
      doneNs = context.events.nowNs() + stallMs * NS_PER_MS;
      renews = false;
    } else if (leaseMs <= AIMED_LEASE_MS_MAX && random.oneIn(AIMED_ONE_IN)) {
      aim();
      return;
    }
    sleep();
  }

  /** Commits or renews when the lease ends. */
  private void aim() {
    long endNs = context.events.nowNs() + context.logTime.aimNs(untilMs + random.between(-1, 1));
    doneNs = renews && random.oneIn(2) ? endNs + worker.drawWorkNs(leaseMs) : endNs;
    context.events.at(endNs, this);
  }

  private boolean isKilled() {
    if (context.faults.isOn(FaultKind.POISON_TASK)) {
      for (KnownTask task : tasks) {
        if (task.isPoison() && task.claims < CLAIMS_MAX && task.queue != QueueNames.QUARANTINE) {
          context.faults.count(FaultKind.POISON_TASK);
          return true;
        }
      }
    }
    if (context.faults.isOn(FaultKind.WORKER_DIES) && worker.deaths.oneIn(DEATH_ONE_IN)) {
      context.faults.count(FaultKind.WORKER_DIES);
      return true;
    }
    return false;
  }

  private void sleep() {
    long halfLeaseNs = leaseMs * NS_PER_MS / 2;
    long nowNs = context.events.nowNs();
    context.events.at(renews ? Math.min(doneNs, nowNs + halfLeaseNs) : doneNs, this);
  }

  @Override
  public void happen() {
    if (caller.isDead()) {
      return;
    }
    if (!caller.mayCall()) {
      context.events.in(POSTPONED_NS, this);
    } else if (context.events.nowNs() < doneNs) {
      renew();
    } else {
      commit();
    }
  }

  // Renewing.

  /** Changes the leases alone, or the tasks with an arrival time, as an instant or a duration. */
  private void renew() {
    long instantMs = context.logTime.nowMs() + leaseMs;
    int how = random.below(10) + (caller.isV0() ? 6 : 0);
    isTimed = how >= 8;
    RequestDraft draft = context.draft.modify(caller);
    for (KnownTask task : tasks) {
      if (how < 6) {
        draft.lease(task, leaseMs);
      } else {
        // Beside a duration, the instant does not count.
        KnownTask content = rewritten(task, how == 6 ? 0 : instantMs);
        draft.change(task, isTimed ? content : TaskContents.arrivingIn(content, leaseMs));
      }
    }
    own(draft.send(RENEW), tasks);
  }

  /** The task may be released before the lease ends, so the value names no arrival time. */
  private KnownTask rewritten(KnownTask task, long arrivalMs) {
    KnownTask content =
        context.contents.rewritten(task, task.queue, arrivalMs, task.attempt, task.errLength);
    content.writtenArrivalMs = 0;
    return content;
  }

  private void own(Call call, KnownTask... named) {
    call.job = this;
    call.tasks = named;
  }

  private void onRenewed(Call call, ResultDecoder result) {
    if (result.code() != ResultCodes.OK) {
      over(call, result);
      return;
    }
    for (int i = 0; i < tasks.length; i++) {
      KnownTask task = tasks[i];
      TaskDecoder changed = result.changed(i);
      long grantedMs = changed.arrivalMs() - changed.modifiedMs();
      Invariant.ANSWERS_EXACT.require(
          isTimed || grantedMs == leaseMs, task, leaseMs + " ms granted", grantedMs + " ms");
      task.version++;
      task.arrivalMs = changed.arrivalMs();
      untilMs = task.arrivalMs;
      if (!context.isQuiet()) {
        context.sightings.renewed(task, changed.modifiedMs(), call.serial);
      }
    }
    sleep();
  }

  // Committing.

  private void commit() {
    if (tasks.length > 1 && caller.isIdentified() && random.oneIn(8)) {
      commitEach();
      return;
    }
    RequestDraft draft = context.draft.modify(caller);
    int which = random.below(100);
    if (which < 30) {
      putSuccessors(draft);
    }
    if (which < 80) {
      delete(draft);
    } else if (which < 88) {
      retryLater(draft);
    } else if (which < 92 && !caller.isV0()) {
      release(draft);
    } else {
      moveOn(draft);
    }
    if (random.oneIn(8)) {
      draft.thenClaim(next());
    }
    own(draft.send(COMMIT), tasks);
    commitsUnderWay = 1;
  }

  /** One commit per task, all in flight together. */
  private void commitEach() {
    for (KnownTask task : tasks) {
      if (!caller.mayCall()) {
        break;
      }
      RequestDraft draft = context.draft.modify(caller);
      own(draft.delete(task, task.version, random.oneIn(2)).send(COMMIT_EACH), task);
      commitsUnderWay++;
    }
  }

  private void putSuccessors(RequestDraft draft) {
    for (KnownTask task : tasks) {
      if (task.queue < QueueNames.STAGES - 1) {
        draft.insert(context.contents.fresh(random, caller, task.queue + 1));
      }
    }
  }

  private void delete(RequestDraft draft) {
    for (KnownTask task : tasks) {
      draft.delete(task, task.version, random.oneIn(2));
    }
  }

  /** The work has failed: retries later, or puts the tasks into quarantine. */
  private void retryLater(RequestDraft draft) {
    long nowMs = context.logTime.nowMs();
    for (KnownTask task : tasks) {
      boolean isHopeless = task.attempt >= ATTEMPTS_MAX || task.claims >= CLAIMS_MAX;
      int queue = isHopeless ? QueueNames.QUARANTINE : task.queue;
      long arrivalMs = isHopeless ? 0 : nowMs + restMs();
      int errLength = random.below(Values.ERR_BYTES_MAX + 1);
      KnownTask content =
          context.contents.rewritten(task, queue, arrivalMs, task.attempt + 1, errLength);
      if (isHopeless || caller.isV0() || !random.oneIn(3)) {
        draft.change(task, content);
      } else {
        draft.changeAndResetClaims(task, TaskContents.arrivingIn(content, restMs()));
      }
    }
  }

  /** Gives the tasks back as they are. */
  private void release(RequestDraft draft) {
    long byMs = random.oneIn(2) ? 0 : -random.between(1, 1_000);
    for (KnownTask task : tasks) {
      draft.lease(task, byMs);
    }
  }

  /** Sometimes so short that it may have passed already. */
  private long restMs() {
    return random.oneIn(8) ? random.between(0, 5) : random.between(100, 10_000);
  }

  private void moveOn(RequestDraft draft) {
    for (KnownTask task : tasks) {
      int queue = task.isPoison() ? QueueNames.QUARANTINE : QueueNames.next(task.queue);
      draft.change(task, context.contents.rewritten(task, queue, 0, task.attempt, task.errLength));
    }
  }

  private ClaimTerms next() {
    ClaimTerms terms = context.terms.clear();
    terms.queues.addInt(QueueNames.anyStage(random));
    terms.queues.addInt(QueueNames.anyStage(random));
    terms.limit = 1 + random.below(3);
    terms.leaseMs = random.between(1_000, 30_000);
    return terms;
  }

  private void onCommitted(Call call, ResultDecoder result, KnownTask[] claimed) {
    commitsUnderWay--;
    if (result.code() == ResultCodes.OK) {
      context.noteDeleted(call);
    } else {
      requireReason(call, result);
    }
    if (claimed.length > 0) {
      start(claimed, call);
    } else if (commitsUnderWay == 0) {
      end(call);
    }
  }

  private void end(Call call) {
    if (caller.mayCall() && random.oneIn(40)) {
      KnownTask task = call.tasks[0];
      int purpose = call.code == ResultCodes.OK ? COMMIT_AGAIN : COMMIT_LATE;
      own(context.draft.modify(caller).delete(task, task.version, false).send(purpose), task);
    } else {
      worker.jobOver();
    }
  }

  /** A committed task cannot be committed again unless its id may be reused. */
  private void onCommittedAgain(Call call, ResultDecoder result) {
    KnownTask task = call.tasks[0];
    boolean isUnique = !TaskIds.isReused(task.idHigh) && !TaskIds.isLoose(task.idHigh);
    boolean isDone = result.code() == ResultCodes.OK;
    if (isDone && isUnique && caller.isIdentified() && !context.isQuiet()) {
      throw Invariant.COMMITTED_ONCE.broken(task, "refused", "committed again");
    }
    worker.jobOver();
  }

  // Losing.

  /** The job ends because the tasks are lost. */
  private void over(Call call, ResultDecoder result) {
    requireReason(call, result);
    worker.jobOver();
  }

  /** A task cannot be lost while its lease lasts. */
  private void requireReason(Call call, ResultDecoder result) {
    boolean isExcused =
        !caller.isIdentified()
            || result.code() != ResultCodes.DEPENDENCY
            || result.logTimeMs() >= untilMs
            || context.mayBeGivenBack(claimedNs)
            || context.isQuiet()
            || context.mayBeLost(claimedNs);
    if (isExcused) {
      return;
    }
    for (int i = 0; i < result.failureCount(); i++) {
      FailureDecoder failure = result.failure(i);
      if (failure.itemKind() == ItemKinds.INSERT) {
        continue;
      }
      KnownTask task = call.tasks[failure.index()];
      // Late work on the former task with this id changes this one, too.
      if (!TaskIds.isReused(task.idHigh) && !context.mayBeTakenBack(task)) {
        throw Invariant.ACKNOWLEDGED_STAYS.broken(
            task, "held until " + untilMs, "lost at " + result.logTimeMs());
      }
    }
  }

  // Answers.

  void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed) {
    switch (call.purpose) {
      case RENEW -> onRenewed(call, result);
      case COMMIT_AGAIN -> onCommittedAgain(call, result);
      case COMMIT_LATE -> worker.jobOver();
      default -> onCommitted(call, result, claimed);
    }
  }

  /** Without identity, the outcome is unknown, so the commit is repeated once. */
  void onUnknown(Call call) {
    if (call.isRetry || call.purpose >= COMMIT_AGAIN) {
      worker.jobOver();
    } else {
      caller.retry(call);
    }
  }
}
