package io.entroq.engine.local;

import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.gateway.ClaimWriter;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.gateway.WaitingClaim;
import io.entroq.engine.request.Lane;
import io.entroq.engine.request.Lanes;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;

/**
 * A claim, or a Modify that claims, on its way through the engine and back, until its caller has
 * settled it.
 *
 * <p>Its lock is what giving up has to come before or after, all of it: the hand-over under another
 * lane, and the slot's coming out of the queue of replies.
 */
final class GatewayClaim implements WaitingClaim, RequestSlot.Completion {
  private final Submitter handOver;
  private final Lanes lanes;
  private final RequestSlot slot;
  private final ClaimWriter writer;
  private final CompletionAdapter completion;

  /** Whether the slot has come back. */
  private boolean isAnswered;

  /** Whether the slot is in the queue of requests once more, which nobody takes it out of. */
  private boolean isWithdrawn;

  /** Whether slot and lane are not this claim's any more, or somebody sees to their end. */
  private boolean isOver;

  GatewayClaim(
      Submitter handOver,
      Lanes lanes,
      RequestSlot slot,
      ClaimWriter writer,
      CompletionAdapter completion) {
    this.handOver = handOver;
    this.lanes = lanes;
    this.slot = slot;
    this.writer = writer;
    this.completion = completion;
    slot.completion = this;
  }

  /** Writes the claim and hands it over. If that fails, lane and slot are free again. */
  GatewayClaim sendUnder(Lane lane) {
    slot.lane = lane;
    boolean isWritten = false;
    try {
      slot.commandLength = writer.write(slot.command(), identity(lane));
      handOver.checkLength(slot.commandLength);
      isWritten = true;
    } finally {
      if (!isWritten) {
        lane.takeBack();
        lanes.giveBack(lane);
        handOver.release(slot);
      }
    }
    handOver.submit(slot);
    return this;
  }

  /** With one open number at a time, everything below it has been answered. */
  private static Identity identity(Lane lane) {
    long number = lane.number();
    return new Identity(lane.clientHigh(), lane.clientLow(), number, number);
  }

  @Override
  public synchronized void cancel() {
    if (isOver) {
      return;
    }
    isOver = true;
    if (slot.lane.isCallers()) {
      slot.lane.abandon();
    }
    if (isWithdrawn) {
      endWithdrawn();
    } else if (isAnswered) {
      handOver.refuseReply(slot);
      handOver.leave(slot);
    } else if (!handOver.giveUp(slot)) {
      // It is in the queue of replies, from which it comes back to be left.
      handOver.refuseReply(slot);
    }
  }

  /** What its caller was assigned stays his, and his wait has been ended before. */
  private void endWithdrawn() {
    if (isAnswered) {
      handOver.leave(slot);
    } else {
      // If it is in the queue of replies, it comes back from there to be left.
      slot.abandon();
    }
  }

  @Override
  public synchronized void withdraw() {
    if (isOver || isAnswered || isWithdrawn) {
      return;
    }
    if (!slot.lane.isCallers()) {
      throw new IllegalStateException("only a claim under its caller's identity is withdrawn");
    }
    isWithdrawn = true;
    handOver.withdraw(slot);
  }

  @Override
  public synchronized void refuse() {
    if (isOver) {
      return;
    }
    requireAnswered();
    isOver = true;
    slot.isRefused = true;
    handOver.refuseReply(slot);
    handOver.leave(slot);
  }

  @Override
  public synchronized void settle() {
    if (isOver) {
      return;
    }
    requireAnswered();
    isOver = true;
    Lane lane = slot.lane;
    if (slot.ending() != RequestOutcome.UNKNOWN && lane.loggedNumber() < lane.number()) {
      lane.takeBack();
    }
    lanes.giveBack(lane);
    if (isWithdrawn) {
      handOver.leave(slot);
    } else {
      handOver.release(slot);
    }
  }

  private void requireAnswered() {
    if (!isAnswered) {
      throw new IllegalStateException("there is no answer yet");
    }
  }

  @Override
  public void onComplete(RequestSlot done) {
    if (!isForCaller()) {
      return;
    }
    boolean hasTasks = hasCode(ResultCodes.OK);
    completion.complete(done);
    if (!hasTasks) {
      settle();
    }
  }

  private synchronized boolean isForCaller() {
    if (isOver) {
      handOver.leave(slot);
      return false;
    }
    if (hasCode(ResultCodes.OUTCOME_UNKNOWN) && !slot.lane.isCallers()) {
      // Nothing was done.
      lanes.drop(slot.lane);
      slot.rearm();
      sendUnder(lanes.take());
      return false;
    }
    isAnswered = true;
    return true;
  }

  private boolean hasCode(int code) {
    return slot.ending() == RequestOutcome.REPLIED && slot.resultCode == code;
  }
}
