package io.entroq.engine.replica;

import io.entroq.engine.request.Lane;
import io.entroq.engine.request.RequestSlot;
import java.util.Collection;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;

/** The proposals of this engine that have not come out in order yet. The applying thread. */
final class PendingProposals {
  private final ProposalExchange crossing;
  private final long incarnation;
  private final Long2ObjectHashMap<Proposal> byNumber = new Long2ObjectHashMap<>();

  /**
   * @param incarnation of this engine, by which it knows its own
   */
  PendingProposals(ProposalExchange crossing, long incarnation) {
    this.crossing = crossing;
    this.incarnation = incarnation;
  }

  /** Takes out what has come out now; null if it is another engine's, or has come out before. */
  Proposal take(DirectBuffer buffer, int offset) {
    if (ProposalFrame.incarnation(buffer, offset) != incarnation) {
      return null;
    }
    takeNew();
    return byNumber.remove(ProposalFrame.number(buffer, offset));
  }

  private void takeNew() {
    for (Proposal next = crossing.takeProposal(); next != null; next = crossing.takeProposal()) {
      byNumber.put(next.number(), next);
    }
  }

  /** Passes over what cancels a claim because its caller leaves it here. */
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

  /** Takes out all, whose callers will not be answered. */
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
