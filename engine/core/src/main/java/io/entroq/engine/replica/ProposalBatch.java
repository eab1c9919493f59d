package io.entroq.engine.replica;

import org.agrona.ExpandableArrayBuffer;

/**
 * Proposals that are sent in one message because they wait at the same time: for the orderer, a
 * message costs far more than its content. A single proposal is sent as it is.
 *
 * <p>Proposing thread.
 */
final class ProposalBatch {
  /** Keeps the last command of a batch from waiting long for those before it. */
  static final int BYTES_MAX = 64 * 1024;

  private final ProposalQueue proposals = new ProposalQueue();
  private final ExpandableArrayBuffer message = new ExpandableArrayBuffer(BYTES_MAX);

  /** Whether another proposal fits in so many bytes; the first always does. */
  boolean hasRoomFor(Proposal next, int bytesMax) {
    return proposals.isEmpty() || proposals.bytes() + next.length() <= bytesMax;
  }

  void add(Proposal next) {
    proposals.add(next);
  }

  boolean isEmpty() {
    return proposals.isEmpty();
  }

  /** Offers it to the sequencer; false: it takes nothing now. */
  boolean offerTo(Sequencer ordering) {
    if (proposals.size() == 1) {
      return ordering.offer(proposals.peek().buffer(), 0, proposals.peek().length());
    }
    int at = 0;
    for (Proposal next : proposals.each()) {
      message.putBytes(at, next.buffer(), 0, next.length());
      at += next.length();
    }
    return ordering.offer(message, 0, at);
  }

  /** Moves its proposals to the end of those sent; returns how many. */
  int sent(ProposalQueue sent, long nowNs) {
    int count = proposals.size();
    for (Proposal next = proposals.poll(); next != null; next = proposals.poll()) {
      next.sent(nowNs, proposals.isEmpty());
      sent.add(next);
    }
    return count;
  }

  /** Moves its proposals to the front of those that wait. */
  void unpack(ProposalQueue unsent) {
    for (Proposal last = proposals.pollLast(); last != null; last = proposals.pollLast()) {
      unsent.addFirst(last);
    }
  }
}
