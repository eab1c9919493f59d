package io.entroq.engine.local;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.spi.ClaimFuture;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.Times;
import io.entroq.engine.call.ClaimRequest;
import io.entroq.engine.request.Lane;
import io.entroq.engine.request.Lanes;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.time.LogClock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs waiting claims through the engine. Any thread.
 *
 * <p>Each has an identity, so that it can be canceled: by an interrupt of a blocked caller, or by
 * completing its future from outside. What it was assigned by then is returned.
 */
final class WaitingClaimInvoker {
  private final CallInvoker caller;
  private final Submitter submitter;
  private final Lanes lanes;
  private final LogClock clock;
  private final String claimant;

  WaitingClaimInvoker(
      CallInvoker caller, Submitter submitter, Lanes lanes, LogClock clock, String claimant) {
    this.caller = caller;
    this.submitter = submitter;
    this.lanes = lanes;
    this.clock = clock;
    this.claimant = claimant;
  }

  /** Blocks until there are tasks or the wait is over; an interrupt cancels the claim. */
  List<Task> claim(Claim claim) throws InterruptedException {
    ClaimRequest request = request(claim);
    RequestSlot slot = acquire(claim, request);
    do {
      send(request, slot);
      submitter.awaitWaiting(slot);
    } while (isLaneForgotten(slot));
    Lane lane = slot.lane;
    try {
      return caller.outcome(request, slot);
    } finally {
      settle(lane, slot);
      submitter.release(slot);
    }
  }

  /** Blocks only for room; the answer comes with the future. */
  CompletableFuture<List<Task>> claimAsync(Claim claim) {
    try {
      ClaimRequest request = request(claim);
      RequestSlot slot = acquire(claim, request);
      ClaimFuture future = new ClaimFuture(() -> giveUp(slot));
      slot.completion = done -> complete(future, request, done);
      send(request, slot);
      return future;
    } catch (EntroQException e) {
      return CompletableFuture.failedFuture(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CompletableFuture.failedFuture(
          new EntroQException.Unavailable("interrupted while waiting for room", e));
    }
  }

  private ClaimRequest request(Claim claim) {
    long deadlineMs = 0;
    if (!claim.waitsForever()) {
      long waitMs = Math.max(1, Times.toMs(claim.maxWait()));
      deadlineMs = Times.plusSaturating(clock.estimateMs(), waitMs);
    }
    ClaimRequest request = new ClaimRequest(claim, claimant, deadlineMs);
    submitter.checkLength(request.bytesAtLeast());
    return request;
  }

  private RequestSlot acquire(Claim claim, ClaimRequest request) throws InterruptedException {
    long maxWaitNs =
        claim.waitsForever()
            ? Long.MAX_VALUE
            : TimeUnit.MILLISECONDS.toNanos(Times.toMs(claim.maxWait()));
    return submitter.acquireWaiting(request.bytesAtLeast(), maxWaitNs);
  }

  private void send(ClaimRequest request, RequestSlot slot) {
    Lane lane = lanes.take();
    slot.lane = lane;
    boolean isEncoded = false;
    try {
      caller.encode(request, slot);
      isEncoded = true;
    } finally {
      if (!isEncoded) {
        // The slot has been released and may be in use again.
        lane.takeBack();
        lanes.giveBack(lane);
      }
    }
    submitter.submit(slot);
  }

  /**
   * Whether the state has forgotten the lane, as it does after very many other clients. Nothing was
   * done; the slot is ready to be sent again.
   */
  private boolean isLaneForgotten(RequestSlot slot) {
    if (slot.outcome() != RequestOutcome.REPLIED
        || slot.resultCode != ResultCodes.OUTCOME_UNKNOWN) {
      return false;
    }
    lanes.drop(slot.lane);
    slot.rearm();
    return true;
  }

  private boolean isSentAgain(ClaimFuture future, ClaimRequest request, RequestSlot slot) {
    // Giving up has to come before or after all of it.
    synchronized (slot) {
      if (future.isDone() || !isLaneForgotten(slot)) {
        return false;
      }
      send(request, slot);
      return true;
    }
  }

  /** The claim of the lane has ended, so the lane is free. */
  private void settle(Lane lane, RequestSlot slot) {
    if (slot.outcome() == RequestOutcome.REFUSED || slot.outcome() == RequestOutcome.NOT_STARTED) {
      lane.takeBack();
    }
    lanes.giveBack(lane);
  }

  private void complete(ClaimFuture future, ClaimRequest request, RequestSlot slot) {
    if (isSentAgain(future, request, slot)) {
      return;
    }
    Lane lane = slot.lane;
    boolean isTaken;
    try {
      isTaken = future.answer(caller.outcome(request, slot));
    } catch (Throwable t) {
      isTaken = future.fail(t);
    }
    if (isTaken) {
      settle(lane, slot);
      submitter.release(slot);
    } else {
      // The future was already completed elsewhere; that code returns the slot's tasks.
      submitter.leave(slot);
    }
  }

  private void giveUp(RequestSlot slot) {
    synchronized (slot) {
      if (!submitter.giveUp(slot)) {
        // The reply has arrived, but is discarded.
        submitter.refuseReply(slot);
      }
    }
  }
}
