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
 * A claim, or a Modify that claims, from its submission until its caller settles it.
 *
 * <p>Its lock makes each of these atomic with respect to canceling: submitting it again under
 * another lane, and completing it.
 */
final class GatewayClaim implements WaitingClaim, RequestSlot.Completion {
  private final Submitter submitter;
  private final Lanes lanes;
  private final RequestSlot slot;
  private final ClaimWriter writer;
  private final CompletionAdapter completion;

  /** Whether the slot is done. */
  private boolean isAnswered;

  /** Whether the slot is in the request queue a second time, from which it does not return. */
  private boolean isWithdrawn;

  /** Whether slot and lane no longer belong to this claim, or their end is taken care of. */
  private boolean isOver;

  GatewayClaim(
      Submitter submitter,
      Lanes lanes,
      RequestSlot slot,
      ClaimWriter writer,
      CompletionAdapter completion) {
    this.submitter = submitter;
    this.lanes = lanes;
    this.slot = slot;
    this.writer = writer;
    this.completion = completion;
    slot.completion = this;
  }

  /** Writes and submits the claim. If that fails, lane and slot are free again. */
  GatewayClaim sendUnder(Lane lane) {
    slot.lane = lane;
    boolean isWritten = false;
    try {
      slot.commandLength = writer.write(slot.command(), identity(lane));
      submitter.checkLength(slot.commandLength);
      isWritten = true;
    } finally {
      if (!isWritten) {
        lane.takeBack();
        lanes.giveBack(lane);
        submitter.release(slot);
      }
    }
    submitter.submit(slot);
    return this;
  }

  /** The lane has one open number, so everything below it has been answered. */
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
      submitter.refuseReply(slot);
      submitter.leave(slot);
    } else if (!submitter.giveUp(slot)) {
      // It is in the reply queue; it is released when it leaves that.
      submitter.refuseReply(slot);
    }
  }

  /** The wait has ended already, and the caller keeps what it was assigned. */
  private void endWithdrawn() {
    if (isAnswered) {
      submitter.leave(slot);
    } else {
      // If it is in the reply queue, it is released when it leaves that.
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
    submitter.withdraw(slot);
  }

  @Override
  public synchronized void refuse() {
    if (isOver) {
      return;
    }
    requireAnswered();
    isOver = true;
    slot.isRefused = true;
    submitter.refuseReply(slot);
    submitter.leave(slot);
  }

  @Override
  public synchronized void settle() {
    if (isOver) {
      return;
    }
    requireAnswered();
    isOver = true;
    Lane lane = slot.lane;
    if (slot.outcome() != RequestOutcome.UNKNOWN && lane.loggedNumber() < lane.number()) {
      lane.takeBack();
    }
    lanes.giveBack(lane);
    if (isWithdrawn) {
      submitter.leave(slot);
    } else {
      submitter.release(slot);
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
      submitter.leave(slot);
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
    return slot.outcome() == RequestOutcome.REPLIED && slot.resultCode == code;
  }
}
