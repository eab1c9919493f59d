package io.entroq.engine.replica;

import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.request.SlotSink;
import io.entroq.engine.runtime.WakeupSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Claims under their callers' own identity that the callers leave here, and perhaps not on other
 * replicas. The applying thread.
 */
final class AbandonedClaims {
  private final PendingProposals pending;
  private final SlotSink sink;
  private final ProposalExchange exchange;
  private final WakeupSignal proposer;
  private final Consumer<RequestSlot> answerCancelled;

  /** Slots with more proposals for the same request under way. */
  private final List<RequestSlot> leaving = new ArrayList<>();

  /** Claims left while the state here may have lagged behind. */
  private final List<RequestSlot> outOfTouch = new ArrayList<>();

  /**
   * @param proposer woken when there is something to propose
   * @param answerCancelled answers that a claim is canceled, without a change of the state
   */
  AbandonedClaims(
      PendingProposals pending,
      SlotSink sink,
      ProposalExchange exchange,
      WakeupSignal proposer,
      Consumer<RequestSlot> answerCancelled) {
    this.pending = pending;
    this.sink = sink;
    this.exchange = exchange;
    this.proposer = proposer;
    this.answerCancelled = answerCancelled;
  }

  /**
   * A caller leaves a claim.
   *
   * @param isCurrent whether the state here is not known to lag behind; if it is, the claim waits
   *     for {@link #leaveInTouch}
   */
  void add(RequestSlot slot, boolean isCurrent) {
    if (isCurrent) {
      leave(slot);
    } else {
      outOfTouch.add(slot);
    }
  }

  /**
   * The state here is no longer known to lag behind.
   *
   * @return how many claims had waited for that
   */
  int leaveInTouch() {
    return leaveAll(outOfTouch);
  }

  /**
   * A proposal has been committed, so some claims may be left now.
   *
   * @param slot the slot of the proposal; null: nobody waits for it
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
   * Ends a claim if it waits and its caller does not wait for it elsewhere, once everything under
   * its identity has been committed. A wait of the caller at another replica is canceled too,
   * unless that has been assigned something: then the caller asks again there.
   */
  private void leave(RequestSlot slot) {
    pending.forgetCancelsOf(slot);
    if (pending.has(slot.lane)) {
      leaving.add(slot);
    } else if (!sink.isParked(slot)) {
      slot.isLeaving = true;
    } else if (sink.leaveToOthers(slot)) {
      answerCancelled.accept(slot);
    } else {
      slot.isLeaving = true;
      exchange.cancel(slot);
      proposer.signal();
    }
  }
}
