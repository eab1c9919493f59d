package io.entroq.engine.replica;

import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.request.SlotSink;
import io.entroq.engine.runtime.WakeupSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Claims under their callers' own identity that these leave, here and perhaps not elsewhere. The
 * applying thread.
 */
final class AbandonedClaims {
  private final PendingProposals underWay;
  private final SlotSink sink;
  private final ProposalExchange crossing;
  private final WakeupSignal proposer;
  private final Consumer<RequestSlot> answerCancelled;

  /** With more for the same request that has not come out. */
  private final List<RequestSlot> leaving = new ArrayList<>();

  /** Left while the state here may have lagged behind. */
  private final List<RequestSlot> outOfTouch = new ArrayList<>();

  /**
   * @param proposer rung when there is something to propose
   * @param answerCancelled answers that a claim is cancelled, of which the state is told nothing
   */
  AbandonedClaims(
      PendingProposals underWay,
      SlotSink sink,
      ProposalExchange crossing,
      WakeupSignal proposer,
      Consumer<RequestSlot> answerCancelled) {
    this.underWay = underWay;
    this.sink = sink;
    this.crossing = crossing;
    this.proposer = proposer;
    this.answerCancelled = answerCancelled;
  }

  /**
   * A caller leaves a claim.
   *
   * @param isCurrent whether the state here is not known to lag behind; else the claim waits until
   *     {@link #leaveInTouch}
   */
  void add(RequestSlot slot, boolean isCurrent) {
    if (isCurrent) {
      leave(slot);
    } else {
      outOfTouch.add(slot);
    }
  }

  /**
   * The state here is not known to lag behind any more.
   *
   * @return how many claims had waited for that
   */
  int leaveInTouch() {
    return leaveAll(outOfTouch);
  }

  /**
   * Something has come out, so that some may be left now.
   *
   * @param slot whose it was; null: nobody waits for it
   */
  void cameOut(RequestSlot slot) {
    if (slot != null && slot.isLeaving) {
      leaving.add(slot);
    }
    leaveAll(leaving);
  }

  private int leaveAll(List<RequestSlot> left) {
    if (left.isEmpty()) {
      return 0;
    }
    List<RequestSlot> slots = List.copyOf(left);
    left.clear();
    slots.forEach(this::leave);
    return slots.size();
  }

  /**
   * Ends a claim, if it waits and its caller does not wait for it in another place; not before all
   * that he has asked for it has come out. What he waits for at another replica is cancelled too,
   * unless it has been assigned something: then he asks anew there.
   */
  private void leave(RequestSlot slot) {
    underWay.forgetCancelsOf(slot);
    if (underWay.has(slot.lane)) {
      leaving.add(slot);
    } else if (!sink.isParked(slot)) {
      slot.isLeaving = true;
    } else if (sink.leaveToOthers(slot)) {
      answerCancelled.accept(slot);
    } else {
      slot.isLeaving = true;
      crossing.cancel(slot);
      proposer.ring();
    }
  }
}
