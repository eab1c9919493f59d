package io.entroq.engine.state;

import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.task.Claimants;
import org.agrona.DirectBuffer;

/** Checks and executes a Claim (contract 2.2). */
final class ClaimStep {

  private final Claimants claimants;
  private final Claimer claimer;
  private final WaiterScheduler waiterScheduler;
  private final ReplyWriter answers;
  private final Receipts receipts;

  ClaimStep(
      Stores stores,
      Claimer claimer,
      WaiterScheduler waiterScheduler,
      Receipts receipts,
      ReplyWriter answers) {
    this.claimants = stores.claimants;
    this.claimer = claimer;
    this.waiterScheduler = waiterScheduler;
    this.receipts = receipts;
    this.answers = answers;
  }

  /**
   * Returns the result code; selects the queues of the {@link Claimer} and changes nothing else.
   */
  int check(ClaimDecoder claim, long nowMs) {
    if (claimants.conflicts(
        claim.claimantHigh(),
        claim.claimantLow(),
        claim.buffer(),
        claim.claimantTextOffset(),
        claim.claimantTextLength())) {
      return ResultCodes.KEY_COLLISION;
    }
    selectQueues(claim);
    return claimer.hasWork(nowMs) ? ResultCodes.OK : ResultCodes.EMPTY;
  }

  /** Executes a Claim without identity: it never waits and leaves no receipt. */
  void execute(ClaimDecoder claim, int outcome, long nowMs) {
    answers.begin(answers.stepSequence(), outcome);
    finish(claim, outcome, nowMs);
  }

  /** Executes a Claim of an admitted client. */
  void execute(ClaimDecoder claim, int outcome, int client, long nowMs) {
    if (outcome == ResultCodes.EMPTY && claim.waits()) {
      if (claim.deadlineMs() == 0 || claim.deadlineMs() > nowMs) {
        park(claim, client);
        return;
      }
      answers.beginWithReceipt(answers.stepSequence(), ResultCodes.TIMED_OUT);
    } else {
      answers.beginWithReceipt(answers.stepSequence(), outcome);
    }
    finish(claim, outcome, nowMs);
    receipts.store(client, claim.requestNumber());
  }

  private void finish(ClaimDecoder claim, int outcome, long nowMs) {
    if (outcome == ResultCodes.OK) {
      take(claim, nowMs);
    }
    answers.end();
  }

  private void take(ClaimDecoder claim, long nowMs) {
    claimer.claimant(
        claim.claimantHigh(),
        claim.claimantLow(),
        claim.buffer(),
        claim.claimantTextOffset(),
        claim.claimantTextLength(),
        claim.leaseMs());
    // The check has selected the queues.
    claimer.take(claim.limit(), nowMs);
  }

  /** Selects the existing queues of a claim. */
  void selectQueues(ClaimDecoder claim) {
    DirectBuffer buffer = claim.buffer();
    claimer.clearQueues();
    for (int i = 0; i < claim.queueCount(); i++) {
      claimer.addExistingQueue(buffer, claim.queueOffset(i), claim.queueLength(i));
    }
  }

  private void park(ClaimDecoder claim, int client) {
    int waiter = waiterScheduler.park(client, claim.requestNumber(), claim.deadlineMs());
    waiterScheduler.setTerms(waiter, claim);
    for (int i = 0; i < claim.queueCount(); i++) {
      waiterScheduler.waitOn(waiter, claim.buffer(), claim.queueOffset(i), claim.queueLength(i));
    }
    waiterScheduler.finishParking(waiter, client);
  }
}
