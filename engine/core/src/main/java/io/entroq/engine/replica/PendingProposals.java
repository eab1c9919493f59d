package io.entroq.engine.replica;

import io.entroq.engine.request.Lane;
import io.entroq.engine.request.RequestSlot;
import java.util.Collection;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;

/** This engine's proposals that have not been committed yet. The applying thread. */
final class PendingProposals {
  private final ProposalExchange exchange;
  private final long incarnation;
  private final Long2ObjectHashMap<Proposal> byNumber = new Long2ObjectHashMap<>();

  /**
   * @param incarnation of this engine, which marks its own proposals
   */
  PendingProposals(ProposalExchange exchange, long incarnation) {
    this.exchange = exchange;
    this.incarnation = incarnation;
  }

  /**
   * Removes and returns the proposal that has been committed; null if it is another engine's or a
   * repeated one.
   */
  Proposal take(DirectBuffer buffer, int offset) {
    if (ProposalFrame.incarnation(buffer, offset) != incarnation) {
      return null;
    }
    takeNew();
    return byNumber.remove(ProposalFrame.number(buffer, offset));
  }

  private void takeNew() {
    for (Proposal next = exchange.takeProposal(); next != null; next = exchange.takeProposal()) {
      byNumber.put(next.number(), next);
    }
  }

  /** Skips cancels of a claim that its caller leaves here. */
  void forgetCancelsOf(RequestSlot slot) {
    takeNew();
    byNumber.values().removeIf(proposal -> proposal.left() == slot);
  }

  /** Whether a lane's request is among them, as far as {@link #forgetCancelsOf} has looked. */
  boolean has(Lane lane) {
    for (Proposal proposal : byNumber.values()) {
      RequestSlot slot = proposal.slot();
      if (slot != null && slot.lane != null && slot.lane.isSameRequest(lane)) {
        return true;
      }
    }
    return false;
  }

  /** Removes all, whose callers will not be answered. */
  void moveTo(Collection<RequestSlot> unanswered) {
    takeNew();
    for (Proposal proposal : byNumber.values()) {
      if (proposal.slot() != null) {
        unanswered.add(proposal.slot());
      }
    }
    byNumber.clear();
  }
}
